//! Memory: what a thread needs and what the system has.

/// The stack that a thread needs to search: frames of the main search take a few KiB each, and lines are long.
pub const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Available memory in MiB (`MemAvailable` on Linux); `None` where the system does not report it.
pub(crate) fn available_mebibytes() -> Option<usize> {
    parse(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn parse(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_says_how_much_there_is() {
        assert_eq!(parse("MemTotal: 100 kB\nMemAvailable:   20480 kB\n"), Some(20));
        assert_eq!(parse("MemTotal: 100 kB\n"), None);
        assert_eq!(available_mebibytes().is_some(), cfg!(target_os = "linux"));
    }
}
