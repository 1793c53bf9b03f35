//! A light stemmer for English: plurals, `-ed`, `-ing`, and the endings those hide.
//!
//! Conservative on purpose: `parse`, `parses`, `parsed` and `parsing` meet, `parser` stays apart.
//! A stem is only compared with stems, never shown.
#![forbid(unsafe_code)]

/// Words whose endings are no endings.
const UNCHANGED: [&str; 4] = ["canvas", "embed", "https", "use"];

/// Gives the stem of a lower-case ASCII word; anything else stays as it is.
pub fn stem(word: &mut String) {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    if ["used", "uses", "using"].contains(&word.as_str()) {
        word.truncate(2);
        word.push('e');
    }
    singular(word);
    if UNCHANGED.contains(&word.as_str()) {
        return;
    }
    plain_form(word);
    ending(word);
}

fn singular(word: &mut String) {
    let removed = if ends(word, &["sses", "xes", "ches", "shes", "zes", "ies"]) {
        2
    } else if UNCHANGED.contains(&word.as_str()) || ends(word, &["ss", "us", "is", "ias"]) {
        0
    } else {
        usize::from(word.ends_with('s'))
    };
    word.truncate(word.len() - removed);
}

fn plain_form(word: &mut String) {
    if word.ends_with("ied") {
        word.truncate(word.len() - 2);
        return;
    }
    let suffix = if word.ends_with("ing") {
        3
    } else if word.ends_with("ed") && !word.ends_with("eed") {
        2
    } else {
        return;
    };
    let length = word.len() - suffix;
    if length < 3 || !word[..length].bytes().any(is_vowel) {
        return;
    }
    word.truncate(length);
    let letters = word.as_bytes();
    let last = letters[length - 1];
    let is_doubled = length > 3 && last == letters[length - 2];
    if is_doubled && !is_vowel(last) && !b"lsz".contains(&last) {
        word.pop();
    }
}

fn ending(word: &mut String) {
    let letters = word.as_bytes();
    let length = letters.len();
    let &[.., before, last] = letters else {
        return;
    };
    if last == b'e' && before != b'e' && length > 3 || length > 5 && word.ends_with("ll") {
        word.pop();
    } else if last == b'y' && !is_vowel(before) && length > 2 {
        word.pop();
        word.push('i');
    }
}

fn ends(word: &str, suffixes: &[&str]) -> bool {
    suffixes.iter().any(|suffix| word.ends_with(suffix))
}

fn is_vowel(letter: u8) -> bool {
    b"aeiouy".contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::stem;

    fn meet(words: &str) -> bool {
        let mut stems: Vec<String> = words.split(' ').map(str::to_owned).collect();
        stems.iter_mut().for_each(stem);
        stems.dedup();
        stems.len() == 1
    }

    #[test]
    fn forms_of_one_word_meet() {
        for words in [
            "parse parses parsed parsing",
            "cache caches cached caching",
            "query queries queried querying",
            "cookie cookies",
            "class classes",
            "match matches matched matching",
            "map maps mapped mapping",
            "use uses used using",
            "embed embeds embedded embedding embeddings",
            "install installs installed installing",
            "cancel cancelled canceled",
            "alias aliases",
            "string strings",
            "need needs needed",
            "copy copies copied copying",
        ] {
            assert!(meet(words), "{words}");
        }
    }

    #[test]
    fn other_words_stay_apart() {
        for words in [
            "parse parser",
            "string str",
            "http https",
            "class clas",
            "bus bu",
        ] {
            assert!(!meet(words), "{words}");
        }
    }
}
