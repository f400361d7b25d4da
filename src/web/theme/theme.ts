import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { dark, designTokens, gray, green, red, signal, yellow } from './palette.ts'

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

/** Design tokens as the variables of the library's provider. */
export const themeVariables: CSSVariablesResolver = () => designTokens

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
