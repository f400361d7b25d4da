/**
 * Characters that look like a Latin letter, listed under that letter: Greek, Cyrillic, digits and Latin letters without
 * a mark.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'ΑαАаɑ',
  b: 'ΒВв',
  c: 'ϹϲСс',
  d: 'Ԁԁđ',
  e: 'ΕεЕеЄє',
  f: 'Ϝ',
  g: 'ɡԌ',
  h: 'ΗНнҺһ',
  i: 'ΙιІіӀӏıɩLlłΙ1|',
  j: 'ЈјϳͿ',
  k: 'ΚκКк',
  m: 'ΜМм',
  n: 'ΝηПп',
  o: 'ΟοσОоΘθøՕօ0',
  p: 'ΡρРр',
  q: 'Ԛԛ',
  r: 'Гг',
  s: 'ЅѕՏ',
  t: 'ΤτТт',
  u: 'υՍս',
  v: 'νѴѵ',
  w: 'ωԜԝѡ',
  x: 'ΧχХх',
  y: 'ΥγУуҮү',
  z: 'Ζ',
}

const LATIN = new Map(Object.entries(LOOK_ALIKES).flatMap(([latin, all]) => Array.from(all, (one) => [one, latin])))

/**
 * Folds a name so that names which look the same are equal: without case, spaces, punctuation and accents, and with Latin
 * letters in place of those that look like them.
 */
export const foldLookAlikes = (name: string): string =>
  Array.from(name.normalize('NFKD'), (one) => LATIN.get(one) ?? LATIN.get(one.toLowerCase()) ?? one.toLowerCase())
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
