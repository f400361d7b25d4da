/** Colours that distinguish types without judging them; no safety sign uses them. Each is a variable, `--hue-…`. */
export const HUES = ['violet', 'teal', 'blue', 'plum', 'brown', 'slate'] as const
export type Hue = (typeof HUES)[number]

/**
 * Meanings of colours on a site (ISO 3864). Each also has a word and an icon, so that colour is never the only sign.
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
