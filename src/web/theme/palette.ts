/** Shades of a colour, from the lightest to the darkest. */
export type Shades = readonly [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  ...string[],
]

/** Signal blue, RAL 5005 (ISO 3864: mandatory action), at shade 8. */
export const signal: Shades = [
  '#e8f4fb',
  '#cfe6f5',
  '#a3cfeb',
  '#73b6e0',
  '#4aa0d6',
  '#2b8fcd',
  '#147ab8',
  '#00679f',
  '#005387',
  '#003d66',
]
/** Signal green, RAL 6032, at shade 7. */
export const green: Shades = [
  '#e7f6ee',
  '#cdeadb',
  '#a0d7ba',
  '#70c397',
  '#47b07a',
  '#2f9d66',
  '#278c5a',
  '#237f52',
  '#1b6b44',
  '#115034',
]
/** Signal yellow, RAL 1003, at shade 6. The next two shades are dark enough for text. */
export const yellow: Shades = [
  '#fff8e1',
  '#ffefc2',
  '#ffe08a',
  '#ffd052',
  '#fdbf26',
  '#fbb30f',
  '#f9a800',
  '#b87a00',
  '#7d5300',
  '#5c3d00',
]
/** Signal red, RAL 3001, at shade 8. */
export const red: Shades = [
  '#fdecec',
  '#f9d3d3',
  '#f1a8a8',
  '#e98686',
  '#de5656',
  '#d23f3e',
  '#c12f2e',
  '#ad2928',
  '#9b2423',
  '#761a19',
]
export const gray: Shades = [
  '#f6f8fa',
  '#edf0f4',
  '#e1e6ec',
  '#cfd6df',
  '#b0bac6',
  '#8592a3',
  '#5b6878',
  '#475464',
  '#313c49',
  '#1c242d',
]
export const dark: Shades = [
  '#d9dfe6',
  '#b9c3ce',
  '#9aa7b5',
  '#67737f',
  '#414b57',
  '#353e49',
  '#262d36',
  '#1a2028',
  '#13181e',
  '#0c1014',
]

/**
 * The portal's design tokens, and replacements for Mantine colours that are too faint to read. `--surface` is a page's
 * background, `--line` is for separators and frames, `--line-firm` frames controls, `--chosen` is the background of a
 * selection, `--small` is the font size of labels and notes, and `--target` is the minimum height of a touch target.
 * The navigation rail is the same deep signal blue in both schemes, and `--mark` is the safety yellow that marks the
 * current page. Each area has a hue (`--hue-…`) that no safety sign uses, because green, yellow and red are reserved
 * for their meanings.
 */
export const designTokens = {
  variables: { '--small': '0.8125rem', '--target': '2.75rem', '--mark': yellow[5], '--on-rail': '#dce8f2' },
  light: {
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-error': red[7],
    '--mantine-color-anchor': signal[7],
    '--surface': gray[0],
    '--line': gray[2],
    '--line-firm': gray[3],
    '--chosen': signal[0],
    '--rail-ground': '#0a2c47',
    '--rail-raised': '#16405f',
    '--hue-slate': '#475464',
    '--hue-violet': '#5a3ea6',
    '--hue-teal': '#0b6a78',
    '--hue-blue': signal[8],
    '--hue-plum': '#96356f',
    '--hue-brown': '#5b4a3f',
  },
  dark: {
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-error': red[3],
    '--mantine-color-anchor': signal[3],
    '--surface': dark[8],
    '--line': dark[5],
    '--line-firm': dark[4],
    '--chosen': dark[5],
    '--rail-ground': '#0b1722',
    '--rail-raised': '#1a2c3b',
    '--hue-slate': '#b4bfcb',
    '--hue-violet': '#bcaaf2',
    '--hue-teal': '#76cfda',
    '--hue-blue': signal[3],
    '--hue-plum': '#eaa3ce',
    '--hue-brown': '#d3bfae',
  },
}
