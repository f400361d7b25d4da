import type { Random } from './random.ts'

/** Maximum number of characters of a text in a body, because the server accepts at most 2 MB. */
const MAX_TEXT_LENGTH = 600_000

const PIECES = [
  'a',
  ' ',
  '<b>',
  '<p>',
  '<svg>',
  'a@',
  '.',
  '-',
  '\u00a0',
  '\u0000',
  '\ud800',
  '\u202e',
  '💩',
  'İ',
  'ß',
  '\n',
  '\\',
  '"',
  "'",
  '%',
  '_',
  '/',
  '..',
  '&',
  '=',
  ';',
  ',',
  '{',
  '[',
  '$1',
  '1',
  '0',
  'e',
  '+',
  '=1+1',
  '|',
  '\t',
  '(',
  ')',
  '*',
  '?',
  '^',
]

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '2026-02-30',
  '2026-02-28',
  '0000-00-00',
  '+275760-09-13',
  '2026-01-01T00:00:00+99:99',
  '24:60',
  '999999999999-01-01',
  "'; DROP TABLE client; --",
  '{{7*7}}',
  '$[7*7]',
  '<script>x</script>',
  '=HYPERLINK("x")',
  'a@b.example',
  'no',
  '%00',
  '%ff',
  '/api/portal/clients/0',
  '/api/portal/users/1',
  '/api/safety/hazards/999999999999999',
  '/api/nothing/1',
  '/',
  '//',
  'http://x',
]

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  2,
  0.1,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  1e21,
  100,
  101,
  1000,
  253_402_300_800,
  -62_135_596_801,
]

/** Generates a text that is usually short, but sometimes as long as a body may be. */
export function makeOddText(random: Random, most = MAX_TEXT_LENGTH): string {
  if (random.chance(0.5)) return random.pick(TEXTS)
  const length = Math.min(
    most,
    random.chance(0.1) ? random.below(MAX_TEXT_LENGTH) : random.below(random.chance(0.3) ? 5000 : 40),
  )
  const piece = random.pick(PIECES)
  if (random.chance(0.6))
    return `${random.pick(PIECES)}${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length)
  return Array.from({ length: Math.min(length, 300) }, () => random.pick(PIECES)).join('')
}

export function makeOddValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 2 ? 5 : 9)
  if (kind < 2) return makeOddText(random, depth ? 200 : MAX_TEXT_LENGTH)
  if (kind === 2) return random.pick(NUMBERS)
  if (kind === 3) return random.pick([null, true, false])
  if (kind === 4) return random.pick(TEXTS)
  if (kind === 5) return nested(random)
  if (kind === 6)
    return Array.from({ length: random.below(5000) }, () => random.pick<unknown>([...NUMBERS, 'a', '/', '1']))
  const inside = Array.from({ length: random.below(5) }, () => makeOddValue(random, depth + 1))
  return kind === 7
    ? inside
    : Object.fromEntries(inside.map((value) => [random.pick([...TEXTS, ...PROPERTY_NAMES]), value]))
}

const PROPERTY_NAMES = ['@id', '@type', 'id', 'name', 'html', 'value', 'base64', 'strokes', 'from', 'to']

function nested(random: Random): unknown {
  let value: unknown = random.pick(TEXTS)
  for (let n = random.pick([2, 20, 90, 110, 2000]); n > 0; n--) value = random.chance(0.5) ? [value] : { a: value }
  return value
}
