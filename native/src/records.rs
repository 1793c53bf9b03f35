//! The frames of a bundle's records: JSON, field by field, looked at record by record.
//!
//! A search shows few records and ranks many, each of another frame: making Python's objects of
//! the 128 records of a frame to use one of them took most of a query. A frame is checked whole
//! and once; Python's objects are made of one record when it is asked for.
//! Bytes are hostile: a frame is nothing but these columns, and every number is checked.
#![forbid(unsafe_code)]

use serde::Deserialize;

/// What is wrong with a frame or a record, as a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

const SHAPE: Malformed = Malformed("is not made of records");
const RANGE: Malformed = Malformed("holds a value out of range");

/// No number of a record is this large; sums of numbers below it stay exact.
const TOO_LARGE: i64 = 1 << 40;
/// The largest value of a field that is one byte elsewhere.
const LARGEST_BYTE: i64 = 255;

/// What a record is checked against.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// The number of the frame's first record.
    pub first: i64,
    /// How many records there are in all.
    pub entries: i64,
    /// How many files.
    pub files: i64,
}

type Texts = Vec<String>;
type Numbers = Vec<i64>;

/// The columns of a frame, in the order in which they are stored.
#[derive(Deserialize)]
struct Stored(
    Texts,        // name
    Texts,        // front of the public name
    Numbers,      // kind
    Numbers,      // flags
    Texts,        // signature
    Texts,        // summary
    Numbers,      // file
    Numbers,      // start
    Numbers,      // length
    Numbers,      // first line
    Numbers,      // lines behind it
    Numbers,      // how far behind its parent
    Vec<Texts>,   // bases
    Vec<Texts>,   // aliases
    Vec<Numbers>, // children
    Numbers,      // start of the docstring
    Numbers,      // length of the docstring
    Texts,        // docstring
    Numbers,      // popularity
    Numbers,      // characters that the front replaces
);

/// The records of one frame.
pub struct Frame {
    bounds: Bounds,
    count: usize,
    texts: [Texts; 5],
    numbers: [Numbers; 12],
    names: [Vec<Texts>; 2],
    children: Vec<Numbers>,
}

/// What one record says, in the order of its fields.
#[derive(Debug, PartialEq, Eq)]
pub struct Record<'f> {
    /// Its number.
    pub id: i64,
    /// Qualified name.
    pub name: &'f str,
    /// Public name.
    pub public_name: String,
    /// Kind, flags.
    pub marks: [i64; 2],
    /// Signature, summary.
    pub shown: [&'f str; 2],
    /// File, start, end, first line, last line, parent.
    pub place: [i64; 6],
    /// Names of bases and aliases.
    pub named: [&'f [String]; 2],
    /// Numbers of children.
    pub children: Vec<i64>,
    /// Start and end of the docstring.
    pub docstring: [i64; 2],
    /// The docstring's text, where it has no place.
    pub docstring_text: &'f str,
    /// How much leads here.
    pub popularity: i64,
}

impl Frame {
    /// Reads the JSON of so many records, and checks that it is that.
    pub fn new(raw: &[u8], count: usize, bounds: Bounds) -> Result<Self, Malformed> {
        let stored: Stored = serde_json::from_slice(raw).map_err(|_| SHAPE)?;
        let Stored(
            name,
            front,
            kind,
            flags,
            signature,
            summary,
            file,
            start,
            length,
            line,
            lines,
            up,
            bases,
            aliases,
            children,
            doc,
            doc_length,
            docstring,
            popularity,
            replaced,
        ) = stored;
        let mut frame = Self {
            bounds,
            count,
            texts: [name, front, signature, summary, docstring],
            numbers: [
                kind, flags, file, start, length, line, lines, up, doc, doc_length, popularity,
                replaced,
            ],
            names: [bases, aliases],
            children,
        };
        if !frame.is_whole() {
            return Err(SHAPE);
        }
        // File, start and first line are told by their distance from those of the record before.
        for column in [2, 3, 5] {
            let mut sum = 0;
            for number in &mut frame.numbers[column] {
                sum += *number;
                *number = sum;
            }
        }
        Ok(frame)
    }

    /// Whether each column has a value for each record, and no number is too large.
    fn is_whole(&self) -> bool {
        let lengths = [self.children.len()].into_iter();
        lengths
            .chain(self.texts.iter().map(Vec::len))
            .chain(self.numbers.iter().map(Vec::len))
            .chain(self.names.iter().map(Vec::len))
            .all(|length| length == self.count)
            && self
                .numbers
                .iter()
                .chain(&self.children)
                .flatten()
                .all(|number| (1 - TOO_LARGE..TOO_LARGE).contains(number))
    }

    /// What the record of a line says.
    pub fn record(&self, line: usize) -> Result<Record<'_>, Malformed> {
        if line >= self.count {
            return Err(RANGE);
        }
        let Bounds {
            first,
            entries,
            files,
        } = self.bounds;
        let text = |column: usize| self.texts[column][line].as_str();
        let number = |column: usize| self.numbers[column][line];
        let id = first + i64::try_from(line).map_err(|_| RANGE)?;
        let (name, front, replaced) = (text(0), text(1), number(11));
        let [kind, flags, popularity] = [number(0), number(1), number(10)];
        let (file, start, first_line, up) = (number(2), number(3), number(5), number(7));
        let (end, last_line) = (start + number(4), first_line + number(6));
        let parent = if up == 0 { -1 } else { id - up };
        let doc_start = start + number(8);
        let docstring = [doc_start, doc_start + number(9)];
        let mut child = id;
        let children: Vec<i64> = self.children[line]
            .iter()
            .map(|step| {
                child = child.saturating_add(*step);
                child
            })
            .collect();
        let is_sound = (-1..entries).contains(&parent)
            && children.iter().all(|child| (0..entries).contains(child))
            && (0..files).contains(&file)
            && 0 <= start
            && start <= docstring[0]
            && docstring[0] <= docstring[1]
            && docstring[1] <= end
            && 0 <= first_line
            && first_line <= last_line
            && [kind, flags, popularity]
                .iter()
                .all(|number| (0..=LARGEST_BYTE).contains(number));
        let public_name = public(name, front, replaced).filter(|_| is_sound);
        Ok(Record {
            id,
            public_name: public_name.ok_or(RANGE)?,
            name,
            marks: [kind, flags],
            shown: [text(2), text(3)],
            place: [file, start, end, first_line, last_line, parent],
            named: [&self.names[0][line], &self.names[1][line]],
            children,
            docstring,
            docstring_text: text(4),
            popularity,
        })
    }
}

/// The name with `front` in the place of its first characters; nothing for nothing.
fn public(name: &str, front: &str, replaced: i64) -> Option<String> {
    let replaced = usize::try_from(replaced).ok()?;
    if replaced == 0 && front.is_empty() {
        return Some(String::new());
    }
    let rest = if name.is_ascii() {
        name.get(replaced..)?
    } else {
        let mut places = name.char_indices().map(|(place, _)| place);
        &name[places.by_ref().chain([name.len()]).nth(replaced)?..]
    };
    Some([front, rest].concat())
}
