import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Signal blue, RAL 5005 (ISO 3864: mandatory action), at shade 8. */
const signal: MantineColorsTuple = [
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
const green: MantineColorsTuple = [
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
const yellow: MantineColorsTuple = [
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
const red: MantineColorsTuple = [
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
const gray: MantineColorsTuple = [
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
const dark: MantineColorsTuple = [
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

/** A list of options scrolls as a single element. A scrolling area inside the list would have to be focusable. */
const scrollsItself = {
  withScrollArea: false,
  styles: { options: { maxHeight: 'min(16rem, 50dvh)', overflowY: 'auto' } },
} as const

export const theme = createTheme({
  colors: { signal, green, yellow, red, gray, dark },
  primaryColor: 'signal',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  black: '#1c242d',
  fontFamily: 'var(--face)',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.45' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  /** The breakpoint `sm` is 600 px, because the specification's phone layout applies below that width. */
  breakpoints: { xs: '30em', sm: '37.5em', md: '62em', lg: '75em', xl: '88em' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    // No asterisks, because labels mark required inputs with the text “(Required)”.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // The role is overridden, because Mantine's <header> would be a second banner on the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // Popovers are rendered inside the main landmark. At the end of the page, they would be outside every landmark.
    Popover: { defaultProps: { portalProps: { target: '#main' } } },
    // The placeholder element is switched off, because a menu may contain menu items only.
    Menu: {
      defaultProps: { withInitialFocusPlaceholder: false, styles: { dropdown: { maxWidth: 'calc(100vw - 16px)' } } },
    },
    Select: { defaultProps: scrollsItself },
    MultiSelect: { defaultProps: scrollsItself },
    Autocomplete: { defaultProps: scrollsItself },
    TagsInput: { defaultProps: scrollsItself },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Anchor: { defaultProps: { underline: 'always' } },
  },
})

/**
 * The portal's design tokens, and replacements for Mantine colours that are too faint to read. `--surface` is a page's
 * background, `--line` is for separators and frames, `--line-firm` frames controls, `--chosen` is the background of a
 * selection, `--small` is the font size of labels and notes, and `--target` is the minimum height of a touch target.
 * The navigation rail is the same deep signal blue in both schemes, and `--mark` is the safety yellow that marks the
 * current page. Each area has a hue (`--hue-…`) that no safety sign uses, because green, yellow and red are reserved
 * for their meanings.
 */
export const themeVariables: CSSVariablesResolver = () => ({
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
})

const SCHEME_ATTRIBUTE = 'data-mantine-color-scheme'

/** Prints in the light scheme even if the screen shows the dark scheme, because paper is white. */
export function printInLightScheme(): void {
  const { documentElement: page } = document
  let read: string | null = null
  matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) {
      read = page.getAttribute(SCHEME_ATTRIBUTE)
      page.setAttribute(SCHEME_ATTRIBUTE, 'light')
    } else if (read) page.setAttribute(SCHEME_ATTRIBUTE, read)
  })
}
