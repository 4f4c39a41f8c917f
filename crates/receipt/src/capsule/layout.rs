//! The layout of an archive: entries, directory and end follow each other from the first byte to the
//! last, and an entry is described alike before its content and in the directory. Otherwise two
//! programs could find different files in the same archive.

const ENTRY: &[u8] = b"PK\x03\x04";
const LISTED: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The only flag that says nothing about the content: the name is UTF-8.
const UTF8: u16 = 0x0800;

/// Whether an archive of stored files has nothing before, between or after its parts.
pub(super) fn is_exact(bytes: &[u8]) -> bool {
    check(bytes).is_some()
}

/// What is not read yet.
struct Rest<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn take_mark(&mut self, mark: &[u8]) -> Option<()> {
        (self.take(mark.len())? == mark).then_some(())
    }
}

/// An entry as its header describes it.
struct Entry<'a> {
    at: usize,
    /// Flags, method, time, date, check sum, both sizes and the length of the name.
    described: &'a [u8],
    name: &'a [u8],
}

fn check(bytes: &[u8]) -> Option<()> {
    let mut rest = Rest { bytes, at: 0 };
    let mut entries = vec![];
    while bytes.get(rest.at..).is_some_and(|it| it.starts_with(ENTRY)) {
        entries.push(entry(&mut rest)?);
    }
    let directory = rest.at;
    for entry in &entries {
        listed(&mut rest, entry)?;
    }
    let size = rest.at - directory;
    rest.take_mark(END)?;
    let count = u16::try_from(entries.len()).ok()?;
    let numbers = [0, 0, count, count].map(u16::to_le_bytes).concat();
    let places = [u32::try_from(size).ok()?, u32::try_from(directory).ok()?];
    // There is no comment.
    let end = [numbers, places.map(u32::to_le_bytes).concat(), vec![0; 2]].concat();
    rest.take_mark(&end)?;
    (rest.at == bytes.len()).then_some(())
}

/// Reads an entry with its content.
fn entry<'a>(rest: &mut Rest<'a>) -> Option<Entry<'a>> {
    let at = rest.at;
    rest.take_mark(ENTRY)?;
    // The version of the format.
    rest.take(2)?;
    let described = rest.take(22)?;
    // No extra field.
    rest.take_mark(&[0; 2])?;
    let [flags, method] = [0, 2].map(|it| number(described, it, 2));
    let [packed, size] = [12, 16].map(|it| number(described, it, 4));
    if flags? & !usize::from(UTF8) != 0 || method? != 0 || packed? != size? {
        return None;
    }
    let name = rest.take(number(described, 20, 2)?)?;
    rest.take(size?)?;
    Some(Entry { at, described, name })
}

/// Reads the description of an entry in the directory, which has to be the same.
fn listed(rest: &mut Rest<'_>, entry: &Entry<'_>) -> Option<()> {
    rest.take_mark(LISTED)?;
    // The versions of the program and of the format.
    rest.take(4)?;
    rest.take_mark(entry.described)?;
    // No extra field, no comment, one disk.
    rest.take_mark(&[0; 6])?;
    // Attributes.
    rest.take(6)?;
    rest.take_mark(&u32::try_from(entry.at).ok()?.to_le_bytes())?;
    rest.take_mark(entry.name)
}

/// A number of some bytes, the least significant first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + length)?;
    Some(bytes.iter().rev().fold(0, |number, byte| (number << 8) | usize::from(*byte)))
}
