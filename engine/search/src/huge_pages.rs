//! An allocator that asks for huge pages where a table is large enough to fill them.
//!
//! Randomly accessed tables (transposition table, histories, network weights) on 4 KiB pages miss the TLB at almost
//! every access, and each miss walks the page tables, twice as far inside a virtual machine. Independent of chess; the
//! engine's program allocates with it.

#![allow(unsafe_code, reason = "an allocator is unsafe by contract, and advice to the system is a call to C")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

/// The size of a huge page of x86-64, and of the most usual one of 64-bit ARM.
const HUGE_PAGE: usize = 2 * 1024 * 1024;
/// Minimum size of an allocation that gets huge pages: the first layer of a small network takes 0.75 MiB.
const THRESHOLD: usize = HUGE_PAGE / 4;

/// The system's allocator, with allocations of at least 512 KiB aligned to huge pages, which are requested from the system.
///
/// Does nothing more on systems other than Linux.
#[derive(Clone, Copy, Default, Debug)]
pub struct HugePages;

/// The layout to request from the system's allocator for a large allocation. It depends on the layout alone, so that memory
/// is freed with the layout it was allocated with.
fn widened(layout: Layout) -> Option<Layout> {
    if !cfg!(target_os = "linux") || layout.size() < THRESHOLD {
        return None;
    }
    Some(layout.align_to(HUGE_PAGE).ok()?.pad_to_align())
}

// SAFETY: memory is the system's allocator's, for a layout that is at least as large and as aligned as the wanted one and is
// computed alike when it is given back. Nothing here panics or allocates.
unsafe impl GlobalAlloc for HugePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(wide) = widened(layout) else {
            // SAFETY: the caller's promise is the condition of the system's allocator.
            return unsafe { System.alloc(layout) };
        };
        // SAFETY: the size is not zero, being over the threshold.
        let memory = unsafe { System.alloc(wide) };
        advise(memory, wide.size());
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the memory came from the system's allocator with this same layout.
        unsafe { System.dealloc(memory, widened(layout).unwrap_or(layout)) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if widened(layout).is_none() {
            // SAFETY: the caller's promise is the condition of the system's allocator.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: the caller's promise is the condition of `alloc`.
        let memory = unsafe { self.alloc(layout) };
        if !memory.is_null() && !is_emptied(memory, layout.size()) {
            // SAFETY: the block of this size was just obtained.
            unsafe { ptr::write_bytes(memory, 0, layout.size()) };
        }
        memory
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the new size is valid with the old alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        match (widened(layout), widened(wanted)) {
            // SAFETY: the memory came with this layout, and the caller promises that the new size is not zero.
            (None, None) => unsafe { System.realloc(memory, layout, new_size) },
            // It is large enough, and not much too large.
            (Some(old), Some(new)) if old.size() == new.size() => memory,
            _ => {
                // SAFETY: the caller's promises hold for the new size too.
                let moved = unsafe { self.alloc(wanted) };
                if !moved.is_null() {
                    // SAFETY: both blocks are at least this long, and a block in use does not overlap one just obtained.
                    unsafe { ptr::copy_nonoverlapping(memory, moved, layout.size().min(new_size)) };
                    // SAFETY: the memory came with this layout.
                    unsafe { self.dealloc(memory, layout) };
                }
                moved
            }
        }
    }
}

/// Asks for huge pages. A system that gives none changes nothing but the speed.
#[cfg(target_os = "linux")]
fn advise(memory: *mut u8, size: usize) {
    if !memory.is_null() {
        // SAFETY: the range was just obtained, begins on a page, and the advice leaves what it holds alone.
        unsafe { libc::madvise(memory.cast(), size, libc::MADV_HUGEPAGE) };
    }
}

/// Gives the pages of a block of the system's allocator back, so that each is zeros when it is first used; a large table
/// then costs no time before that. False if the system refuses, for instance because the memory is locked.
#[cfg(target_os = "linux")]
fn is_emptied(memory: *mut u8, size: usize) -> bool {
    // SAFETY: the range was just obtained and its content is not used yet. It begins on a page, and the padding to whole
    // pages belongs to the block. The memory is private and anonymous, so that the pages come back as zeros.
    unsafe { libc::madvise(memory.cast(), size, libc::MADV_DONTNEED) == 0 }
}

#[cfg(not(target_os = "linux"))]
fn advise(_memory: *mut u8, _size: usize) {}

#[cfg(not(target_os = "linux"))]
fn is_emptied(_memory: *mut u8, _size: usize) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Allocates, fills, grows and shrinks across the threshold; what was written must be there.
    #[test]
    fn contents_survive_every_change_of_size() {
        let allocator = HugePages;
        let sizes = [16, THRESHOLD - 1, THRESHOLD, HUGE_PAGE, HUGE_PAGE + 1, 3 * HUGE_PAGE, THRESHOLD, 100];
        for align in [1, 64, 4096] {
            let mut layout = Layout::from_size_align(sizes[0], align).expect("a layout");
            // SAFETY: every layout has a size, and memory is given back with the layout that it has.
            unsafe {
                let mut memory = allocator.alloc(layout);
                memory.write(7);
                for size in sizes {
                    memory = allocator.realloc(memory, layout, size);
                    layout = Layout::from_size_align(size, align).expect("a layout");
                    assert_eq!((memory as usize % align, memory.read()), (0, 7), "{size} bytes at {align}");
                    memory.add(size - 1).write(9);
                    memory.write(7);
                }
                allocator.dealloc(memory, layout);
            }
        }
    }

    #[test]
    fn large_memory_begins_on_a_huge_page_and_zeros_are_zeros() {
        let allocator = HugePages;
        for size in [THRESHOLD, 3 * HUGE_PAGE + 5] {
            let layout = Layout::from_size_align(size, 8).expect("a layout");
            // SAFETY: the size is not zero, and memory is read within it and given back with its layout.
            unsafe {
                let used = allocator.alloc(layout);
                used.write_bytes(1, size);
                allocator.dealloc(used, layout);
                let memory = allocator.alloc_zeroed(layout);
                assert!(!cfg!(target_os = "linux") || (memory as usize).is_multiple_of(HUGE_PAGE));
                assert!(std::slice::from_raw_parts(memory, size).iter().all(|&byte| byte == 0));
                allocator.dealloc(memory, layout);
            }
        }
    }

    #[test]
    fn more_than_there_is_is_refused() {
        let layout = Layout::from_size_align(isize::MAX as usize - 4 * HUGE_PAGE, 8).expect("a layout");
        // SAFETY: the size is not zero.
        assert!(unsafe { HugePages.alloc(layout) }.is_null());
    }
}
