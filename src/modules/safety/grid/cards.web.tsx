import '@mantine/core/styles/Drawer.layer.css'
import { ActionIcon, Button, Drawer, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { memo } from 'react'
import type { CellPosition } from '#web/grid/cell-place.ts'
import { CopyConfirmation } from '#web/ui/copy-confirmation.tsx'
import { useOpenAfterRender } from '#web/ui/overlays/use-opened.ts'
import { AddAllControlsButton } from './add-all.web.tsx'
import css from './cards.module.css'
import { ControlsEditor } from './controls-editor.web.tsx'
import {
  findHazardWarnings,
  formatCopiedHazardPrompt,
  type GridHazard,
  type HazardGridRows,
  initialRatingOf,
  isHazardUnconfirmed,
  residualRatingOf,
} from './grid.ts'
import { HazardCell, PersonsCell, ResponsibleCell } from './hazard-cell.web.tsx'
import { RiskRatingBadge, useRiskMatrix } from './matrix.web.tsx'
import type { HazardColumn, HazardGridActions, RiskRatingKind, SuggestedHazard } from './state.web.ts'

interface Props {
  readonly grid: HazardGridRows
  readonly all: HazardGridRows
  readonly place: CellPosition<HazardColumn>
  readonly actions: HazardGridActions
  readonly offered: readonly SuggestedHazard[]
  /** Groups of people chosen for the assessment. */
  readonly groups: readonly string[]
  /** Index of each hazard's first line, by the hazard's key. */
  readonly lines: ReadonlyMap<string, { readonly line: number }>
  /** ID of the form field. */
  readonly id: string
  /** Document from which hazards were copied. */
  readonly from: string
}

/** Fields of a hazard's line for which errors can be shown. */
const FIELDS = [
  'hazardName',
  'persons',
  'probability',
  'controlName',
  'residualProbability',
  'residualReason',
  'ppeReason',
  'plannedFor',
  'responsible',
  'unconfirmed',
] as const

/** Hazards on a phone: one card per hazard, edited in a bottom sheet. */
export function HazardCards({ grid, all, place, actions, offered, groups, lines, id, from }: Props) {
  const open = place.editing ? all.find((h) => h.key === place.key) : undefined
  return (
    <>
      <ul className={css.cards}>
        {grid.map((h) => (
          <Card key={h.key} hazard={h} actions={actions} at={`${id}[${lines.get(h.key)?.line ?? 0}]`} from={from} />
        ))}
      </ul>
      <Drawer
        opened={useOpenAfterRender(open !== undefined, () => actions.left(place.key))}
        onClose={() => actions.left(place.key)}
        position="bottom"
        size="92%"
        title="Hazard"
      >
        {open && <Sheet hazard={open} actions={actions} offered={offered} groups={groups} />}
      </Drawer>
    </>
  )
}

interface CardProps {
  readonly hazard: GridHazard
  readonly actions: HazardGridActions
}

interface OwnProps extends CardProps {
  readonly at: string
  readonly from: string
}

const Card = memo(function Card({ hazard, actions, at, from }: OwnProps) {
  const matrix = useRiskMatrix()
  const { key, head, controls } = hazard
  return (
    <li className={css.card} data-at={FIELDS.map((field) => `${at}.${field}`).join(' ')}>
      <div>
        <strong>{head.hazardName || 'Unnamed hazard'}</strong>
        {head.persons && <div className={css.small}>{head.persons}</div>}
      </div>
      <div className={css.ratings}>
        <RiskRatingBadge value={initialRatingOf(hazard)} none="Not yet rated" />
        <span aria-hidden>→</span>
        <RiskRatingBadge value={residualRatingOf(hazard)} none="Not rated" />
      </div>
      <div className={css.small}>
        {controls.length ? controls.map((c) => c.controlName).join(' · ') : 'No controls yet'}
      </div>
      {head.hazard && !controls.length && <AddAllControlsButton hazard={hazard} actions={actions} />}
      {findHazardWarnings(matrix, hazard).map((said) => (
        <div key={said} className={css.warning}>
          {said}
        </div>
      ))}
      {isHazardUnconfirmed(hazard) && (
        <CopyConfirmation
          name={head.hazardName || 'unnamed hazard'}
          question={formatCopiedHazardPrompt(from)}
          onConfirm={() => actions.confirm(key, 'initial')}
        />
      )}
      <Button variant="default" size="md" fullWidth onClick={() => actions.edit(key, 'hazard')}>
        Edit <VisuallyHidden>{head.hazardName || 'unnamed hazard'}</VisuallyHidden>
      </Button>
    </li>
  )
})

interface SheetProps extends CardProps {
  readonly offered: readonly SuggestedHazard[]
  /** Groups of people chosen for the assessment. */
  readonly groups: readonly string[]
}

function Sheet({ hazard, actions, offered, groups }: SheetProps) {
  const { key, head } = hazard
  const left = residualRatingOf(hazard)
  return (
    <div className={css.sheet}>
      <div>
        <Text fw={500} size="sm" mb={4}>
          Hazard
        </Text>
        <HazardCell
          hazard={hazard}
          actions={actions}
          offered={offered}
          onChosen={() => undefined}
          className={css.big ?? ''}
        />
        {head.group && <div className={css.small}>{head.group}</div>}
      </div>
      <div>
        <Text fw={500} size="sm" mb={4}>
          Who might be harmed
        </Text>
        <PersonsCell
          value={head.persons}
          groups={groups}
          onChange={(persons) => actions.change(key, { persons })}
          className={css.big ?? ''}
        />
      </div>
      <Steppers
        title="Initial risk"
        which="initial"
        hazard={hazard}
        actions={actions}
        p={head.probability ?? 5}
        s={head.severity ?? 5}
        judged={head.judged === true}
      />
      <div>
        <Text fw={500} size="sm" mb={4}>
          Controls
        </Text>
        {!hazard.controls.length && <Text size="sm">Which controls are in place?</Text>}
        <ControlsEditor hazard={hazard} actions={actions} />
      </div>
      <Steppers
        title="Residual risk"
        which="residual"
        hazard={hazard}
        actions={actions}
        p={head.residualProbability ?? head.probability ?? 5}
        s={head.residualSeverity ?? head.severity ?? 5}
        judged={left !== undefined}
      />
      <div>
        <Text fw={500} size="sm" mb={4}>
          Responsible
        </Text>
        <ResponsibleCell hazard={hazard} actions={actions} className={css.big ?? ''} />
      </div>
      <Group grow>
        <Button size="md" variant="subtle" color="red.8" onClick={() => actions.retire(key)}>
          Remove hazard
        </Button>
        <Button size="md" onClick={() => actions.left(key)}>
          Done
        </Button>
      </Group>
    </div>
  )
}

interface SteppersProps extends CardProps {
  readonly title: string
  readonly which: RiskRatingKind
  readonly p: number
  readonly s: number
  readonly judged: boolean
}

function Steppers({ title, which, hazard, actions, p, s, judged }: SteppersProps) {
  const matrix = useRiskMatrix()
  const set = (np: number, ns: number) => actions.judge(hazard.key, which, np, ns)
  return (
    <fieldset className={css.steppers}>
      <legend>{title}</legend>
      <Stepper label="Probability" words={matrix.probability} value={p} onChange={(n) => set(n, s)} />
      <Stepper label="Severity" words={matrix.severity} value={s} onChange={(n) => set(p, n)} />
      <Group justify="space-between">
        <RiskRatingBadge value={judged ? { probability: p, severity: s } : undefined} none="Not yet rated" />
        {!judged && (
          <Button size="md" variant="default" onClick={() => set(p, s)}>
            {`Confirm ${p} × ${s}`}
          </Button>
        )}
      </Group>
    </fieldset>
  )
}

interface StepperProps {
  readonly label: string
  readonly words: readonly string[]
  readonly value: number
  readonly onChange: (n: number) => void
}

function Stepper({ label, words, value, onChange }: StepperProps) {
  return (
    <div className={css.stepper}>
      <ActionIcon
        size={48}
        variant="default"
        aria-label={`Decrease ${label}`}
        disabled={value <= 1}
        onClick={() => onChange(value - 1)}
      >
        <IconMinus aria-hidden />
      </ActionIcon>
      <div role="status" aria-label={label}>
        <b>{value}</b>
        <span>{words[value - 1]}</span>
        <small>{label}</small>
      </div>
      <ActionIcon
        size={48}
        variant="default"
        aria-label={`Increase ${label}`}
        disabled={value >= 5}
        onClick={() => onChange(value + 1)}
      >
        <IconPlus aria-hidden />
      </ActionIcon>
    </div>
  )
}
