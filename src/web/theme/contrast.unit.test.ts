import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { describe, expect, test } from 'vitest'
import { HUES } from './meaning.ts'
import { theme, themeVariables } from './theme.ts'

const whole = mergeMantineTheme(DEFAULT_THEME, theme)
type Scheme = 'light' | 'dark'
type Variables = Readonly<Record<Scheme | 'variables', Readonly<Record<string, string>>>>
const library: Variables = defaultCssVariablesResolver(whole)
const own: Variables = themeVariables(whole)

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** Returns the value of a variable in a colour scheme: the portal's value, or otherwise the library's. */
function textOf(name: string, scheme: Scheme): string {
  const text = own[scheme][name] ?? own.variables[name] ?? library[scheme][name] ?? library.variables[name]
  if (text === undefined) throw new Error(`No variable is called ${name}`)
  const reference = /^var\((--[\w-]+)\)$/.exec(text)?.[1]
  return reference ? textOf(reference, scheme) : text
}

function parse(text: string): Colour {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text)?.[1]
  if (hex) {
    const digits = hex.match(hex.length === 3 ? /./g : /../g) ?? []
    const [red = 0, green = 0, blue = 0] = digits.map((d) => Number.parseInt(d.length === 1 ? d + d : d, 16))
    return [red, green, blue, 1]
  }
  const parts = /^rgba?\(([^)]+)\)$/
    .exec(text)?.[1]
    ?.split(/[,\s/]+/)
    .map(Number)
  if (!parts || parts.some(Number.isNaN)) throw new Error(`"${text}" is no colour`)
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts
  return [red, green, blue, alpha]
}

const over = (front: Colour, back: Colour): Colour => {
  const [red, green, blue] = [0, 1, 2].map((i) => (front[i] ?? 0) * front[3] + (back[i] ?? 0) * (1 - front[3]))
  return [red ?? 0, green ?? 0, blue ?? 0, 1]
}

/** Returns the relative luminance of a colour as defined by WCAG 2. */
const luminance = (colour: Colour): number => {
  const [red, green, blue] = colour.slice(0, 3).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

function contrastOf(front: string, grounds: readonly string[], scheme: Scheme): number {
  const ground = grounds.map((name) => parse(textOf(name, scheme))).reduce((below, above) => over(above, below))
  const [darker, lighter] = [luminance(over(parse(textOf(front, scheme)), ground)), luminance(ground)].sort(
    (a, b) => a - b,
  )
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

const BODY = '--mantine-color-body'
/** Minimum contrast for text and for meaningful shapes (WCAG 2 AA). */
const TEXT = 4.5
const SHAPE = 3

const COLOURS = ['signal', 'green', 'yellow', 'red', 'gray']

/** Foreground, backgrounds (bottom layer first) and minimum contrast of each pair. */
const PAIRS: readonly (readonly [front: string, grounds: readonly string[], least: number])[] = [
  ...['--mantine-color-text', '--mantine-color-dimmed', '--mantine-color-anchor', '--mantine-color-error'].flatMap(
    (front) => [[BODY], ['--surface']].map((grounds) => [front, grounds, TEXT] as const),
  ),
  ['--mantine-color-text', ['--chosen'], TEXT],
  ['--mantine-color-placeholder', [BODY], TEXT],
  ...COLOURS.map((c) => [`--mantine-color-${c}-light-color`, [BODY, `--mantine-color-${c}-light`], TEXT] as const),
  ...HUES.flatMap((hue) => [[BODY], ['--surface']].map((grounds) => [`--hue-${hue}`, grounds, TEXT] as const)),
  ['--on-rail', ['--rail-ground'], TEXT],
  ['--on-rail', ['--rail-raised'], TEXT],
  ['--mark', ['--rail-ground'], SHAPE],
  ['--mantine-color-white', ['--mantine-primary-color-filled'], TEXT],
]

describe.each(['light', 'dark'] as const)('the %s colour scheme meets the minimum contrast', (scheme) => {
  test.each(PAIRS)('the colour %s on %j has a contrast of at least %d', (front, grounds, least) => {
    expect(contrastOf(front, grounds, scheme)).toBeGreaterThanOrEqual(least)
  })
})
