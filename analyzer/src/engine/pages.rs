//! A map from small numbers whose copies share what they have in common.
//!
//! A process set is copied before each of its steps, and a step writes to one object or two. Entries stand on pages; a write
//! copies the list of pages and the page it is on, and both only where somebody else has them too.

use std::sync::Arc;

/// Entries on one page.
const SIZE: usize = 16;

type Page<T> = [Option<Arc<T>>; SIZE];

/// Entries by number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pages<T> {
    /// By the number of the page, ascending; no page is empty.
    pages: Arc<Vec<(u32, Arc<Page<T>>)>>,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self { pages: Arc::default() }
    }
}

/// The page of an entry, and its place there.
fn place(number: u32) -> (u32, usize) {
    let size = u32::try_from(SIZE).unwrap_or(1);
    (number / size, (number % size) as usize)
}

impl<T> Pages<T> {
    fn find(&self, page: u32) -> Result<usize, usize> {
        self.pages.binary_search_by_key(&page, |(number, _)| *number)
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Arc<T>> {
        let (page, place) = place(number);
        self.pages[self.find(page).ok()?].1[place].as_ref()
    }

    /// All entries, by their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Arc<T>)> {
        let size = u32::try_from(SIZE).unwrap_or(1);
        self.pages.iter().flat_map(move |(number, page)| {
            let numbers = number * size..;
            numbers.zip(page.iter()).filter_map(|(number, entry)| Some((number, entry.as_ref()?)))
        })
    }
}

impl<T: Clone> Pages<T> {
    /// Where an entry stands or will stand; not to be left empty.
    fn entry(&mut self, number: u32) -> &mut Option<Arc<T>> {
        let (page, place) = place(number);
        let found = self.find(page);
        let pages = Arc::make_mut(&mut self.pages);
        let index = found.unwrap_or_else(|index| {
            pages.insert(index, (page, Arc::new(std::array::from_fn(|_| None))));
            index
        });
        &mut Arc::make_mut(&mut pages[index].1)[place]
    }

    pub(crate) fn insert(&mut self, number: u32, value: Arc<T>) {
        *self.entry(number) = Some(value);
    }

    /// An entry to be changed; `absent` is it where there is none.
    pub(crate) fn get_mut_or(&mut self, number: u32, absent: impl FnOnce() -> T) -> &mut T {
        Arc::make_mut(self.entry(number).get_or_insert_with(|| Arc::new(absent())))
    }

    /// Removes an entry, and says whether it was there.
    pub(crate) fn remove(&mut self, number: u32) -> bool {
        let (page, place) = place(number);
        let Ok(index) = self.find(page) else { return false };
        if self.pages[index].1[place].is_none() {
            return false;
        }
        let pages = Arc::make_mut(&mut self.pages);
        let page = Arc::make_mut(&mut pages[index].1);
        page[place] = None;
        if page.iter().all(Option::is_none) {
            pages.remove(index);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is written to one copy is in no other, and each is the map that it would be without the other.
        #[test]
        fn copies_are_maps(steps in prop::collection::vec((0..4_u8, 0..100_u32, 0..9_i32), 0..60)) {
            let mut copies = vec![(Pages::default(), BTreeMap::new())];
            for (what, number, value) in steps {
                let copy = copies[copies.len() - 1].clone();
                let which = value as usize % copies.len();
                let (pages, map) = &mut copies[which];
                match what {
                    0 => {
                        pages.insert(number, Arc::new(value));
                        map.insert(number, value);
                    }
                    1 => prop_assert_eq!(pages.remove(number), map.remove(&number).is_some()),
                    2 => {
                        *pages.get_mut_or(number, || 7) += value;
                        *map.entry(number).or_insert(7) += value;
                    }
                    _ => copies.push(copy),
                }
                for (pages, map) in &copies {
                    prop_assert!(pages.iter().map(|(number, value)| (number, **value)).eq(map.iter().map(|(a, b)| (*a, *b))));
                    prop_assert_eq!(pages.get(number).map(|value| **value), map.get(&number).copied());
                    let mut fresh = Pages::default();
                    map.iter().rev().for_each(|(&number, &value)| fresh.insert(number, Arc::new(value)));
                    prop_assert_eq!(pages, &fresh);
                }
            }
        }
    }
}
