/**
 * Colours that distinguish types without suggesting that one is good or bad. No safety sign uses these colours. Each is
 * available as a CSS variable, `--hue-…`.
 */
export const HUES = ['violet', 'teal', 'blue', 'plum', 'brown', 'slate'] as const
export type Hue = (typeof HUES)[number]

/**
 * Meanings of colours on a construction site (ISO 3864). Each meaning also has a word and an icon, so that it is never
 * conveyed by colour alone.
 */
export type ColourMeaning = 'safe' | 'attention' | 'stop' | 'info' | 'plain'

export interface MeaningStyle {
  /** Mantine colour for soft badges, alerts and text. */
  readonly color: string
  /** Mantine colour for filled areas. */
  readonly fill: string
  readonly word: string
  /** Name of a shell icon. */
  readonly icon: string
}

export const meaningStyles: Readonly<Record<ColourMeaning, MeaningStyle>> = {
  safe: { color: 'green', fill: 'green.8', word: 'Done', icon: 'check' },
  attention: { color: 'yellow', fill: 'yellow.6', word: 'Due', icon: 'alert' },
  stop: { color: 'red', fill: 'red.8', word: 'Overdue', icon: 'stop' },
  info: { color: 'signal', fill: 'signal.8', word: 'Note', icon: 'info' },
  plain: { color: 'gray', fill: 'gray.7', word: '', icon: 'point' },
}
