import { ActionIcon, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { formatInteger } from '#kernel/text.ts'
import css from './steps.module.css'

interface Props {
  /** Position in the list. */
  readonly place: { readonly at: number; readonly of: number } | undefined
  readonly before: string
  readonly after: string
  readonly hasBefore: boolean
  readonly hasAfter: boolean
  readonly onBefore: () => void
  readonly onAfter: () => void
}

/** Buttons for the previous and the next record, with the position in the list: "3 of 40". */
export const RecordPagerButtons = ({ place, before, after, hasBefore, hasAfter, onBefore, onAfter }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
  <div role="group" aria-label="Position in the list" className={css.steps}>
    {place && (
      <Text size="sm" c="dimmed" className={css.place}>
        {formatInteger(place.at)} of {formatInteger(place.of)}
      </Text>
    )}
    <Step label={before} sign="←" on={hasBefore} run={onBefore} icon={IconChevronLeft} />
    <Step label={after} sign="→" on={hasAfter} run={onAfter} icon={IconChevronRight} />
  </div>
)

interface StepProps {
  readonly label: string
  readonly sign: string
  readonly on: boolean
  readonly run: () => void
  readonly icon: typeof IconChevronLeft
}

const Step = ({ label, sign, on, run, icon: Picture }: StepProps) => (
  <ActionIcon
    size="lg"
    variant="default"
    className={css.step ?? ''}
    title={`${label} (${sign})`}
    aria-label={label}
    disabled={!on}
    onClick={run}
  >
    <Picture size={20} aria-hidden />
  </ActionIcon>
)
