//! The frames of a bundle's records: JSON, field by field, looked at record by record.
//!
//! A search shows few records and ranks many, each of another frame: making Python's objects of
//! the 128 records of a frame to use one of them took most of a query. A frame is checked whole
//! and once; what one record says is made when it is asked for.
//! Bytes are hostile: `json` takes nothing but what is written, and `Frame` checks every number.
#![forbid(unsafe_code)]

mod json;

use std::borrow::Cow;
use std::ops::Range;

use json::{Cursor, Text};

/// What is wrong with a frame or a record, as a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

const SHAPE: Malformed = Malformed("is not made of records");
const RANGE: Malformed = Malformed("holds a value out of range");

/// What the fields of a column are.
#[derive(Clone, Copy)]
enum Column {
    Text,
    Number,
    Texts,
    Numbers,
}

/// The columns in the order in which they are stored.
const COLUMNS: [Column; 20] = {
    use Column::{Number, Numbers, Text, Texts};
    [
        Text, Text, Number, Number, Text, Text, Number, Number, Number, Number, Number, Number,
        Texts, Texts, Numbers, Number, Number, Text, Number, Number,
    ]
};
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

/// The records of one frame.
pub struct Frame {
    json: String,
    bounds: Bounds,
    count: usize,
    /// Columns of texts, one behind the other; likewise the others.
    texts: Vec<Text>,
    numbers: Vec<i64>,
    text_lists: Vec<Range<usize>>,
    listed_texts: Vec<Text>,
    number_lists: Vec<Range<usize>>,
    listed_numbers: Vec<i64>,
}

/// What one record says, in the order of its fields.
#[derive(Debug, PartialEq, Eq)]
pub struct Record<'f> {
    /// Its number.
    pub id: i64,
    /// Qualified name.
    pub name: Cow<'f, str>,
    /// Public name.
    pub public_name: String,
    /// Kind, flags.
    pub marks: [i64; 2],
    /// Signature, summary.
    pub shown: [Cow<'f, str>; 2],
    /// File, start, end, first line, last line, parent.
    pub place: [i64; 6],
    /// Names of bases and aliases.
    pub named: [Vec<Cow<'f, str>>; 2],
    /// Numbers of children.
    pub children: Vec<i64>,
    /// Start and end of the docstring.
    pub docstring: [i64; 2],
    /// The docstring's text, where it has no place.
    pub docstring_text: Cow<'f, str>,
    /// How much leads here.
    pub popularity: i64,
}

impl Frame {
    /// Reads the JSON of so many records, and checks that it is that.
    pub fn new(raw: &[u8], count: usize, bounds: Bounds) -> Result<Self, Malformed> {
        let json = std::str::from_utf8(raw).map_err(|_| SHAPE)?.to_owned();
        let mut frame = Self {
            json: String::new(),
            bounds,
            count,
            texts: Vec::new(),
            numbers: Vec::new(),
            text_lists: Vec::new(),
            listed_texts: Vec::new(),
            number_lists: Vec::new(),
            listed_numbers: Vec::new(),
        };
        let mut cursor = Cursor::new(&json);
        let mut columns = COLUMNS.iter();
        let columns = cursor.array(|cursor| {
            let column = columns.next()?;
            let found = cursor.array(|cursor| frame.read(cursor, *column))?;
            (found == count).then_some(())
        });
        if columns != Some(COLUMNS.len()) || !cursor.is_done() {
            return Err(SHAPE);
        }
        // File, start and first line are told by their distance from those of the record before.
        for column in [2, 3, 5] {
            let column = &mut frame.numbers[column * count..][..count];
            let mut sum = 0;
            for number in column {
                sum += *number;
                *number = sum;
            }
        }
        frame.json = json;
        Ok(frame)
    }

    fn read(&mut self, cursor: &mut Cursor<'_>, column: Column) -> Option<()> {
        match column {
            Column::Text => self.texts.push(cursor.text()?),
            Column::Number => self.numbers.push(cursor.number()?),
            Column::Texts => {
                let start = self.listed_texts.len();
                let into = &mut self.listed_texts;
                cursor.array(|cursor| {
                    into.push(cursor.text()?);
                    Some(())
                })?;
                self.text_lists.push(start..self.listed_texts.len());
            }
            Column::Numbers => {
                let start = self.listed_numbers.len();
                let into = &mut self.listed_numbers;
                cursor.array(|cursor| {
                    into.push(cursor.number()?);
                    Some(())
                })?;
                self.number_lists.push(start..self.listed_numbers.len());
            }
        }
        Some(())
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
        let text = |column: usize| self.texts[column * self.count + line].of(&self.json);
        let number = |column: usize| self.numbers[column * self.count + line];
        let listed = |column: usize| {
            let range = self.text_lists[column * self.count + line].clone();
            let texts = self.listed_texts[range].iter();
            texts.map(|text| text.of(&self.json)).collect()
        };
        let id = first + i64::try_from(line).map_err(|_| RANGE)?;
        let (name, front, replaced) = (text(0), text(1), number(11));
        let [kind, flags, popularity] = [number(0), number(1), number(10)];
        let (file, start, first_line, up) = (number(2), number(3), number(5), number(7));
        let (end, last_line) = (start + number(4), first_line + number(6));
        let parent = if up == 0 { -1 } else { id - up };
        let doc_start = start + number(8);
        let docstring = [doc_start, doc_start + number(9)];
        let mut child = id;
        let children: Vec<i64> = self.listed_numbers[self.number_lists[line].clone()]
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
        let public_name = public(&name, &front, replaced).filter(|_| is_sound);
        Ok(Record {
            id,
            public_name: public_name.ok_or(RANGE)?,
            name,
            marks: [kind, flags],
            shown: [text(2), text(3)],
            place: [file, start, end, first_line, last_line, parent],
            named: [listed(0), listed(1)],
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
