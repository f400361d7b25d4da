import { deviceStorage } from '../offline/browser-storage.ts'
import { dark, designTokens, gray } from './palette.ts'

const BLACK = '#1c242d'

/** Variables that the component library would set, for pages without it. */
const ELEMENTS = {
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': BLACK,
    '--mantine-color-dimmed': gray[6],
    '--mantine-primary-color-filled': '#005387',
  },
  dark: {
    '--mantine-color-body': dark[7],
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': dark[2],
    '--mantine-primary-color-filled': '#005387',
  },
} as const

/** Colour scheme that the user has chosen on this device, if it is not the device's own. */
const chosenScheme = deviceStorage.text('mantine-color-scheme-value')

function setTokens(scheme: 'light' | 'dark'): void {
  const { dataset, style } = document.documentElement
  dataset.mantineColorScheme = scheme
  style.colorScheme = scheme
  const all = { ...designTokens.variables, ...designTokens[scheme], ...ELEMENTS[scheme] }
  for (const [name, value] of Object.entries(all)) style.setProperty(name, value)
}

/** Sets the design tokens on a page without the component library, in the colour scheme of the user or the device. */
export function applyDesignTokens(): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    const chosen = chosenScheme.read()
    setTokens(chosen === 'dark' || (chosen !== 'light' && isDark.matches) ? 'dark' : 'light')
  }
  apply()
  isDark.addEventListener('change', apply)
}
