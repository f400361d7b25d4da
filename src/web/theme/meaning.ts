/** Colours that tell kinds apart without judging them; no safety sign uses them. Each is a variable, `--hue-…`. */
export const hues = ['violet', 'teal', 'blue', 'plum', 'brown', 'slate'] as const
export type Hue = (typeof hues)[number]

/** The meanings of colours on a site (ISO 3864), with a word and an icon that say the same. */
export type Meaning = 'safe' | 'attention' | 'stop' | 'info' | 'plain'

export interface MeaningStyle {
  /** A Mantine colour for soft badges, alerts and text. */
  readonly color: string
  /** A Mantine colour for filled areas. */
  readonly fill: string
  readonly word: string
  /** A name of the shell's icons. */
  readonly icon: string
}

export const meanings: Readonly<Record<Meaning, MeaningStyle>> = {
  safe: { color: 'green', fill: 'green.8', word: 'Done', icon: 'check' },
  attention: { color: 'yellow', fill: 'yellow.6', word: 'Due', icon: 'alert' },
  stop: { color: 'red', fill: 'red.8', word: 'Overdue', icon: 'stop' },
  info: { color: 'signal', fill: 'signal.8', word: 'Note', icon: 'info' },
  plain: { color: 'gray', fill: 'gray.7', word: '', icon: 'point' },
}
