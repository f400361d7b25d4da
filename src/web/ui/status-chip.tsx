import type { Icon } from '@tabler/icons-react'
import { type ColourMeaning, type Hue, meaningStyles } from '../theme/meaning.ts'
import { iconOf } from './icons.ts'
import css from './status-chip.module.css'

interface Props {
  readonly meaning?: ColourMeaning
  /** Label. The default is the word for the meaning. */
  readonly children?: string
  readonly icon?: Icon
  readonly title?: string
  /** Colour of a type, for statuses that are neither good nor bad. */
  readonly hue?: Hue | undefined
}

const ICONS: Readonly<Record<ColourMeaning, Icon>> = {
  safe: iconOf(meaningStyles.safe.icon),
  attention: iconOf(meaningStyles.attention.icon),
  stop: iconOf(meaningStyles.stop.icon),
  info: iconOf(meaningStyles.info.icon),
  plain: iconOf(meaningStyles.plain.icon),
}

/** Chip that shows a status by an icon, a word and a colour. */
export function StatusChip({ meaning = 'plain', children, icon, title, hue }: Props) {
  const Picture = icon ?? ICONS[meaning]
  return (
    <span className={css.chip} data-meaning={meaning} data-hue={hue} title={title}>
      <Picture size={14} aria-hidden />
      {children ?? meaningStyles[meaning].word}
    </span>
  )
}

export const RetiredChip = ({ retired }: { readonly retired: boolean }) =>
  retired ? <StatusChip>Retired</StatusChip> : <StatusChip meaning="safe">Active</StatusChip>
