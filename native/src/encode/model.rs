//! The whole way of a text: tokens, layers, one vector.
#![forbid(unsafe_code)]

use super::kernels::{Codes, Rows, activate, add_and_normalise, attend, multiply, pool};
use super::layout::{Layer, Layout};
use super::tokenize::tokenize;
use crate::level::Level;
use crate::parallel;

/// How many tokens go through the layers together: so many share a reading of the weights.
const TOGETHER: usize = 128;
/// How many of them go through the widest step together, so that it stays in a near cache.
const WIDE: usize = 66;

/// The vectors of texts, one behind the other.
pub fn encode(section: &[u8], layout: &Layout, texts: &[&str]) -> Vec<f32> {
    encode_at(Level::best(), section, layout, texts)
}

fn encode_at(level: Level, section: &[u8], layout: &Layout, texts: &[&str]) -> Vec<f32> {
    let tokens = parallel::map(texts, |text| tokenize(section, layout, text));
    let mut batches: Vec<&[Vec<u16>]> = Vec::new();
    let mut rest = tokens.as_slice();
    while !rest.is_empty() {
        let mut sum = 0;
        let fitting = rest.iter().take_while(|tokens| {
            sum += tokens.len();
            sum <= TOGETHER
        });
        let (batch, after) = rest.split_at(fitting.count().max(1));
        batches.push(batch);
        rest = after;
    }
    parallel::map(&batches, |batch| forward(level, section, layout, batch)).concat()
}

/// Where the steps of a layer write: made once, as fresh memory costs more than the steps.
struct Scratch {
    asked: Rows,
    taken: Rows,
    wide: Rows,
    codes: Codes,
}

/// The vectors of texts that share a reading of the weights, and nothing else.
fn forward(level: Level, section: &[u8], layout: &Layout, batch: &[Vec<u16>]) -> Vec<f32> {
    let hidden = layout.header.hidden;
    let mut rows = embed(level, section, layout, batch);
    let count = rows.len() / hidden;
    let mut scratch = Scratch {
        asked: Rows::new(count * 3 * hidden),
        taken: Rows::new(count * hidden),
        wide: Rows::new(count.min(WIDE) * layout.header.intermediate),
        codes: Codes::default(),
    };
    for layer in &layout.layers {
        pass(
            level,
            section,
            layout,
            layer,
            batch,
            &mut rows,
            &mut scratch,
        );
    }
    let mut vectors = vec![0.0; batch.len() * hidden];
    let mut rest = rows.as_slice();
    for (tokens, vector) in batch.iter().zip(vectors.chunks_exact_mut(hidden)) {
        let (own, after) = rest.split_at(tokens.len() * hidden);
        let read = if layout.header.is_first {
            hidden
        } else {
            own.len()
        };
        pool(level, &own[..read], vector);
        rest = after;
    }
    vectors
}

/// The first rows: each token's, and its place's.
fn embed(level: Level, section: &[u8], layout: &Layout, batch: &[Vec<u16>]) -> Vec<f32> {
    let hidden = layout.header.hidden;
    let count: usize = batch.iter().map(Vec::len).sum();
    let mut rows = vec![0.0; count * hidden];
    let mut places = Vec::with_capacity(count * hidden);
    let words = &section[layout.places.words.clone()];
    let scales = section[layout.places.word_scales.clone()].as_chunks().0;
    let each = batch.iter().flatten().zip(rows.chunks_exact_mut(hidden));
    for (token, row) in each {
        let token = usize::from(*token);
        let scale = f32::from_le_bytes(scales[token]);
        for (number, code) in row.iter_mut().zip(&words[token * hidden..]) {
            *number = f32::from(code.cast_signed()) * scale;
        }
    }
    for tokens in batch {
        places.extend_from_slice(&layout.positions[..tokens.len() * hidden]);
    }
    add_and_normalise(
        level,
        &mut rows,
        &places,
        &layout.norm,
        layout.header.epsilon,
    );
    rows
}

fn pass(
    level: Level,
    section: &[u8],
    layout: &Layout,
    layer: &Layer,
    batch: &[Vec<u16>],
    rows: &mut [f32],
    scratch: &mut Scratch,
) {
    let (hidden, epsilon) = (layout.header.hidden, layout.header.epsilon);
    let Scratch {
        asked,
        taken,
        wide,
        codes,
    } = scratch;
    let (asked, taken, wide) = (asked.all(), taken.all(), wide.all());
    codes.fill(level, rows, hidden);
    multiply(level, &layer.attention, section, codes, asked);
    let (mut asked_rest, mut taken_rest) = (&*asked, &mut *taken);
    for tokens in batch {
        let (asked, after) = asked_rest.split_at(tokens.len() * 3 * hidden);
        let (own, behind) = taken_rest.split_at_mut(tokens.len() * hidden);
        attend(level, asked, hidden, layout.header.heads, own);
        (asked_rest, taken_rest) = (after, behind);
    }
    codes.fill(level, taken, hidden);
    multiply(level, &layer.output, section, codes, taken);
    add_and_normalise(level, rows, taken, &layer.middle_norm, epsilon);

    let parts = rows.chunks(WIDE * hidden);
    for (rows, taken) in parts.zip(taken.chunks_mut(WIDE * hidden)) {
        let wide = &mut wide[..rows.len() / hidden * layer.up.outputs];
        codes.fill(level, rows, hidden);
        multiply(level, &layer.up, section, codes, wide);
        activate(level, wide);
        codes.fill(level, wide, layer.up.outputs);
        multiply(level, &layer.down, section, codes, taken);
    }
    add_and_normalise(level, rows, taken, &layer.norm, epsilon);
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::encode::layout::Header;
    use crate::encode::write::{Tensors, write};

    struct Noise(HashMap<String, Vec<u8>>);

    impl Tensors for Noise {
        fn get(&self, name: &str) -> Option<&[u8]> {
            self.0.get(name).map(Vec::as_slice)
        }
    }

    /// A model of random numbers: 32 wide, two layers of two heads.
    fn noise() -> Vec<u8> {
        let mut state = 1_u32;
        let mut tensor = |size: usize| -> Vec<u8> {
            let number = |_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f32::from(u16::try_from(state >> 16).unwrap_or(0)) / 65536.0 - 0.5
            };
            (0..size).map(number).flat_map(f32::to_le_bytes).collect()
        };
        let pieces: Vec<String> = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
            .map(str::to_owned)
            .into_iter()
            .chain(('a'..='z').map(String::from))
            .chain(('a'..='z').map(|letter| format!("##{letter}")))
            .collect();
        let (hidden, wide) = (32, 112);
        let mut tensors = HashMap::new();
        let mut add = |name: String, size: usize| {
            tensors.insert(name, tensor(size));
        };
        add(
            "embeddings.word_embeddings.weight".to_owned(),
            pieces.len() * hidden,
        );
        add(
            "embeddings.position_embeddings.weight".to_owned(),
            40 * hidden,
        );
        add(
            "embeddings.token_type_embeddings.weight".to_owned(),
            2 * hidden,
        );
        add("embeddings.LayerNorm.weight".to_owned(), hidden);
        add("embeddings.LayerNorm.bias".to_owned(), hidden);
        for layer in 0..2 {
            for (part, inputs, outputs) in [
                ("attention.self.query", hidden, hidden),
                ("attention.self.key", hidden, hidden),
                ("attention.self.value", hidden, hidden),
                ("attention.output.dense", hidden, hidden),
                ("attention.output.LayerNorm", 1, hidden),
                ("intermediate.dense", hidden, wide),
                ("output.dense", wide, hidden),
                ("output.LayerNorm", 1, hidden),
            ] {
                let name = format!("encoder.layer.{layer}.{part}");
                add(format!("{name}.weight"), inputs * outputs);
                add(format!("{name}.bias"), outputs);
            }
        }
        let header = Header {
            hidden,
            layers: 2,
            heads: 2,
            intermediate: wide,
            positions: 40,
            vocabulary: 0,
            piece_bytes: 0,
            slots: 0,
            special: [0, 1, 2, 3, 4],
            word_characters: 100,
            epsilon: 1e-12,
            is_first: false,
        };
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        write(&Noise(tensors), &pieces, header).unwrap()
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let section = noise();
        let layout = Layout::of(&section).unwrap();
        let long = "the quick brown fox jumps over the lazy dog ".repeat(9);
        let texts: Vec<&str> = (0..60).map(|end| &long[..end * 6]).collect();
        let bits = |level| -> Vec<u32> {
            let vectors = encode_at(level, &section, &layout, &texts);
            vectors.into_iter().map(f32::to_bits).collect()
        };
        let plain = bits(Level::all().pop().unwrap());
        for level in Level::all() {
            assert!(bits(level) == plain, "{level:?}");
        }
    }

    #[test]
    fn a_text_has_the_bits_that_it_has_alone() {
        let section = noise();
        let layout = Layout::of(&section).unwrap();
        let texts = ["", "a", "many more words than one", "a", "x y z"];
        let together = encode(&section, &layout, &texts);
        let alone: Vec<f32> = texts
            .iter()
            .flat_map(|text| encode(&section, &layout, &[text]))
            .collect();
        assert!(
            together
                .iter()
                .map(|number| number.to_bits())
                .eq(alone.iter().map(|n| n.to_bits()))
        );
    }

    #[test]
    fn a_damaged_section_never_panics() {
        let good = noise();
        let mut state = 7_usize;
        for _ in 0..400 {
            let mut section = good.clone();
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            // Half of the damage goes to the header and the table of pieces.
            let reach = if state & 1 << 40 == 0 {
                1024
            } else {
                good.len()
            };
            let at = (state >> 33) % reach;
            section[at] ^= 1 << (state >> 17 & 7);
            if let Ok(layout) = Layout::of(&section) {
                assert_eq!(encode(&section, &layout, &["some words"]).len(), 32);
            }
            section.truncate(at);
            assert!(Layout::of(&section).is_err());
        }
    }
}
