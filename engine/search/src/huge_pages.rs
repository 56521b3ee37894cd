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

/// The system's allocator; allocations of at least 512 KiB are mappings of their own, which begin on a huge page and return
/// to the system when they are freed.
///
/// Does nothing more than the system's allocator on systems other than Linux.
#[derive(Clone, Copy, Default, Debug)]
pub struct HugePages;

/// The layout of the mapping for a large allocation. It depends on the layout alone, so that memory is freed with the layout
/// it was allocated with.
fn widened(layout: Layout) -> Option<Layout> {
    if !cfg!(target_os = "linux") || layout.size() < THRESHOLD {
        return None;
    }
    Some(layout.align_to(HUGE_PAGE).ok()?.pad_to_align())
}

// SAFETY: memory is the system allocator's, or a mapping for a layout that is at least as large and as aligned as the wanted
// one and is computed alike when it is given back. Nothing here panics or allocates.
unsafe impl GlobalAlloc for HugePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match widened(layout) {
            Some(wide) => map(wide),
            // SAFETY: the caller's promise is the condition of the system's allocator.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        match widened(layout) {
            // SAFETY: the memory was mapped for this same layout, and the caller promises that nothing uses it.
            Some(wide) => unsafe { unmap(memory, wide.size()) },
            // SAFETY: the memory came from the system's allocator with this same layout.
            None => unsafe { System.dealloc(memory, layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match widened(layout) {
            // Pages are zeros when they are first used, so that a large table costs no time before that.
            Some(wide) => map(wide),
            // SAFETY: the caller's promise is the condition of the system's allocator.
            None => unsafe { System.alloc_zeroed(layout) },
        }
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

/// Maps memory of this layout, which begins on a page of its alignment, and asks for huge pages; a system that gives none
/// changes nothing but the speed. Null if there is not enough.
#[cfg(target_os = "linux")]
fn map(layout: Layout) -> *mut u8 {
    let (size, align) = (layout.size(), layout.align());
    let Some(whole) = size.checked_add(align) else { return ptr::null_mut() };
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at a place of the system's choice.
    let start = unsafe { libc::mmap(ptr::null_mut(), whole, access, kind, -1, 0) };
    if start == libc::MAP_FAILED {
        return ptr::null_mut();
    }
    let before = start.cast::<u8>().align_offset(align);
    // SAFETY: `before` is at most the alignment, by which the mapping is larger than the block. What is given back around the
    // block consists of whole pages that nothing uses.
    unsafe {
        let memory = start.cast::<u8>().add(before);
        unmap(start.cast(), before);
        unmap(memory.add(size), align - before);
        libc::madvise(memory.cast(), size, libc::MADV_HUGEPAGE);
        memory
    }
}

/// Gives whole pages back.
///
/// # Safety
/// They are mapped, and nothing uses them any more.
#[cfg(target_os = "linux")]
unsafe fn unmap(memory: *mut u8, size: usize) {
    if size > 0 {
        // SAFETY: the caller's promise.
        unsafe { libc::munmap(memory.cast(), size) };
    }
}

#[cfg(not(target_os = "linux"))]
fn map(_layout: Layout) -> *mut u8 {
    ptr::null_mut()
}

#[cfg(not(target_os = "linux"))]
unsafe fn unmap(_memory: *mut u8, _size: usize) {}

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
