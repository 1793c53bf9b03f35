//! The encoder section: where everything is, checked before anything is read.
//!
//! All places follow from the sixteen numbers at its start, so there is no place to lie about.
#![forbid(unsafe_code)]

use std::ops::Range;

use crate::level::TILE;

/// What is wrong with a section, as a clause.
#[derive(Debug)]
pub struct Malformed(pub String);

/// The version of a section whose vectors are means over all tokens.
const MEAN: u32 = 1;
/// The version of one whose vectors are those of the first token.
const FIRST: u32 = 2;
/// Each part begins at a multiple of this many bytes.
pub const ALIGNMENT: usize = 64;
/// The most slots that are looked at for one piece of a word.
pub const PROBES: usize = 256;
/// The slot that no piece has.
pub const EMPTY: u16 = u16::MAX;

const NUMBERS: usize = 16;

/// The numbers at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub hidden: usize,
    pub layers: usize,
    pub heads: usize,
    pub intermediate: usize,
    /// The most tokens of a text.
    pub positions: usize,
    /// How many pieces of words there are.
    pub vocabulary: usize,
    /// How many bytes the pieces are together.
    pub piece_bytes: usize,
    /// How many slots the table of pieces has, a power of two.
    pub slots: usize,
    /// Tokens: padding, unknown, start, end, mask.
    pub special: [usize; 5],
    /// The longest word that is taken apart, in characters.
    pub word_characters: usize,
    /// What is added to a variance.
    pub epsilon: f32,
    /// Whether a text's vector is that of its first token, not the mean of all.
    pub is_first: bool,
}

impl Header {
    pub fn numbers(&self) -> [u32; NUMBERS] {
        let [padding, unknown, start, end, mask] = self.special;
        let sizes = [
            self.version() as usize,
            self.hidden,
            self.layers,
            self.heads,
            self.intermediate,
            self.positions,
            self.vocabulary,
            self.piece_bytes,
            self.slots,
            padding,
            unknown,
            start,
            end,
            mask,
            self.word_characters,
        ];
        let mut numbers = [0; NUMBERS];
        for (number, size) in numbers.iter_mut().zip(sizes) {
            *number = u32::try_from(size).unwrap_or(u32::MAX);
        }
        numbers[NUMBERS - 1] = self.epsilon.to_bits();
        numbers
    }

    fn version(&self) -> u32 {
        if self.is_first { FIRST } else { MEAN }
    }

    fn of(section: &[u8]) -> Result<Self, Malformed> {
        let Some((start, _)) = section.split_at_checked(NUMBERS * 4) else {
            return Err(Malformed("is too short for its header".to_owned()));
        };
        let mut numbers = [0; NUMBERS];
        for (number, bytes) in numbers.iter_mut().zip(start.as_chunks().0) {
            *number = u32::from_le_bytes(*bytes);
        }
        if ![MEAN, FIRST].contains(&numbers[0]) {
            return Err(Malformed(format!("has version {}", numbers[0])));
        }
        let size = |at: usize| numbers[at] as usize;
        Ok(Self {
            hidden: size(1),
            layers: size(2),
            heads: size(3),
            intermediate: size(4),
            positions: size(5),
            vocabulary: size(6),
            piece_bytes: size(7),
            slots: size(8),
            special: [size(9), size(10), size(11), size(12), size(13)],
            word_characters: size(14),
            epsilon: f32::from_bits(numbers[15]),
            is_first: numbers[0] == FIRST,
        })
    }

    /// Refuses sizes that the arithmetic does not allow; all are bounded, so no product overflows.
    pub fn check(&self) -> Result<(), Malformed> {
        let is_whole = (TILE..=4096).contains(&self.hidden)
            && (TILE..=16384).contains(&self.intermediate)
            && self.hidden.is_multiple_of(TILE)
            && self.intermediate.is_multiple_of(TILE)
            && (1..=64).contains(&self.layers)
            && (1..=256).contains(&self.heads)
            && self.hidden.is_multiple_of(self.heads * TILE)
            && (2..=4096).contains(&self.positions)
            && (5..usize::from(EMPTY)).contains(&self.vocabulary)
            && self.piece_bytes <= 1 << 24
            && self.slots.is_power_of_two()
            && (2..=1 << 17).contains(&self.slots)
            && self.slots > self.vocabulary
            && self.special.iter().all(|&token| token < self.vocabulary)
            && (1..=1000).contains(&self.word_characters)
            && (0.0..1.0).contains(&self.epsilon);
        if is_whole {
            Ok(())
        } else {
            Err(Malformed("has sizes that no encoder has".to_owned()))
        }
    }
}

/// Where the parts of a matrix are.
#[derive(Clone, Debug)]
pub struct LinearPlaces {
    pub inputs: usize,
    pub outputs: usize,
    pub tiles: Range<usize>,
    pub scales: Range<usize>,
    pub offsets: Range<usize>,
    pub biases: Range<usize>,
}

/// Where the parts of a normalisation are.
#[derive(Clone, Debug)]
pub struct NormPlaces {
    pub gains: Range<usize>,
    pub shifts: Range<usize>,
}

/// Where the parts of a layer are.
#[derive(Clone, Debug)]
pub struct LayerPlaces {
    pub attention: LinearPlaces,
    pub output: LinearPlaces,
    pub middle_norm: NormPlaces,
    pub up: LinearPlaces,
    pub down: LinearPlaces,
    pub norm: NormPlaces,
}

/// Where everything is, as byte ranges of the section.
#[derive(Clone, Debug)]
pub struct Places {
    pub slots: Range<usize>,
    pub ends: Range<usize>,
    pub pieces: Range<usize>,
    pub words: Range<usize>,
    pub word_scales: Range<usize>,
    pub positions: Range<usize>,
    pub norm: NormPlaces,
    pub layers: Vec<LayerPlaces>,
    pub end: usize,
}

struct Cursor(usize);

impl Cursor {
    fn take(&mut self, bytes: usize) -> Range<usize> {
        let start = self.0.next_multiple_of(ALIGNMENT);
        self.0 = start + bytes;
        start..self.0
    }

    fn floats(&mut self, count: usize) -> Range<usize> {
        self.take(count * 4)
    }

    fn norm(&mut self, hidden: usize) -> NormPlaces {
        NormPlaces {
            gains: self.floats(hidden),
            shifts: self.floats(hidden),
        }
    }

    fn linear(&mut self, inputs: usize, outputs: usize) -> LinearPlaces {
        LinearPlaces {
            inputs,
            outputs,
            tiles: self.take(inputs * outputs),
            scales: self.floats(outputs),
            offsets: self.floats(outputs),
            biases: self.floats(outputs),
        }
    }
}

impl Places {
    /// The places that a header which has been checked leads to.
    pub fn of(header: &Header) -> Self {
        let mut cursor = Cursor(NUMBERS * 4);
        let (hidden, intermediate) = (header.hidden, header.intermediate);
        Self {
            slots: cursor.take(header.slots * 2),
            ends: cursor.take(header.vocabulary * 4),
            pieces: cursor.take(header.piece_bytes),
            words: cursor.take(header.vocabulary * hidden),
            word_scales: cursor.floats(header.vocabulary),
            positions: cursor.floats(header.positions * hidden),
            norm: cursor.norm(hidden),
            layers: (0..header.layers)
                .map(|_| LayerPlaces {
                    attention: cursor.linear(hidden, 3 * hidden),
                    output: cursor.linear(hidden, hidden),
                    middle_norm: cursor.norm(hidden),
                    up: cursor.linear(hidden, intermediate),
                    down: cursor.linear(intermediate, hidden),
                    norm: cursor.norm(hidden),
                })
                .collect(),
            end: cursor.0,
        }
    }
}

/// A matrix: its tiles are read where they lie.
#[derive(Debug)]
pub struct Linear {
    pub inputs: usize,
    pub outputs: usize,
    pub tiles: Range<usize>,
    /// What one unit of a channel's sum is worth.
    pub scales: Vec<f32>,
    /// What the offset of a token adds to a channel: the sum of its weights.
    pub offsets: Vec<f32>,
    pub biases: Vec<f32>,
}

/// A normalisation.
#[derive(Debug)]
pub struct Norm {
    pub gains: Vec<f32>,
    pub shifts: Vec<f32>,
}

/// One of the layers.
#[derive(Debug)]
pub struct Layer {
    pub attention: Linear,
    pub output: Linear,
    pub middle_norm: Norm,
    pub up: Linear,
    pub down: Linear,
    pub norm: Norm,
}

/// What a section holds, checked; the large parts stay in it.
#[derive(Debug)]
pub struct Layout {
    pub header: Header,
    pub places: Places,
    pub positions: Vec<f32>,
    pub norm: Norm,
    pub layers: Vec<Layer>,
}

impl Layout {
    /// Reads what a section says, and copies the small parts.
    pub fn of(section: &[u8]) -> Result<Self, Malformed> {
        let header = Header::of(section)?;
        header.check()?;
        let places = Places::of(&header);
        if places.end != section.len() {
            return Err(Malformed(format!(
                "has {} bytes where its sizes want {}",
                section.len(),
                places.end
            )));
        }
        check_pieces(section, &header, &places)?;
        floats(section, &places.word_scales)?;
        let layers = places.layers.iter().map(|at| {
            Ok(Layer {
                attention: linear(section, &at.attention)?,
                output: linear(section, &at.output)?,
                middle_norm: norm(section, &at.middle_norm)?,
                up: linear(section, &at.up)?,
                down: linear(section, &at.down)?,
                norm: norm(section, &at.norm)?,
            })
        });
        Ok(Self {
            layers: layers.collect::<Result<_, Malformed>>()?,
            positions: floats(section, &places.positions)?,
            norm: norm(section, &places.norm)?,
            header,
            places,
        })
    }
}

fn check_pieces(section: &[u8], header: &Header, places: &Places) -> Result<(), Malformed> {
    let mut start = 0;
    for end in words(&section[places.ends.clone()]) {
        if end < start || end as usize > header.piece_bytes {
            return Err(Malformed("has pieces of words that overlap".to_owned()));
        }
        start = end;
    }
    if start as usize != header.piece_bytes {
        return Err(Malformed("has bytes behind its pieces of words".to_owned()));
    }
    let slots = section[places.slots.clone()].as_chunks().0;
    let is_known = |slot: &[u8; 2]| {
        let token = u16::from_le_bytes(*slot);
        token == EMPTY || usize::from(token) < header.vocabulary
    };
    if slots.iter().all(is_known) {
        Ok(())
    } else {
        Err(Malformed(
            "has a slot for a piece that is not there".to_owned(),
        ))
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
}

fn floats(section: &[u8], place: &Range<usize>) -> Result<Vec<f32>, Malformed> {
    let floats: Vec<f32> = words(&section[place.clone()]).map(f32::from_bits).collect();
    if floats.iter().all(|number| number.is_finite()) {
        Ok(floats)
    } else {
        Err(Malformed("has a number that is not finite".to_owned()))
    }
}

fn norm(section: &[u8], at: &NormPlaces) -> Result<Norm, Malformed> {
    Ok(Norm {
        gains: floats(section, &at.gains)?,
        shifts: floats(section, &at.shifts)?,
    })
}

fn linear(section: &[u8], at: &LinearPlaces) -> Result<Linear, Malformed> {
    Ok(Linear {
        inputs: at.inputs,
        outputs: at.outputs,
        tiles: at.tiles.clone(),
        scales: floats(section, &at.scales)?,
        offsets: floats(section, &at.offsets)?,
        biases: floats(section, &at.biases)?,
    })
}
