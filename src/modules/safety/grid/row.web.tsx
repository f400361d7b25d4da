// biome-ignore-all lint/a11y/useSemanticElements: table elements can't be rearranged on a narrow screen
import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu, Popover } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconDots, IconFlask, IconPlus, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import { CellButton, CellFrame, CellPlaceholder, GridCell, type GridCellContext } from '#web/grid/cell.tsx'
import type { CellPosition } from '#web/grid/cell-place.ts'
import { CopyConfirmation } from '#web/ui/copy-confirmation.tsx'
import { AddAllControlsButton } from './add-all.web.tsx'
import { ControlChip, ControlsEditor } from './controls-editor.web.tsx'
import css from './grid.module.css'
import {
  findHazardWarnings,
  formatCopiedHazardPrompt,
  type GridHazard,
  hazardLineKeyOf,
  initialRatingOf,
  isHazardUnconfirmed,
  residualRatingOf,
} from './grid.ts'
import { HazardCell, PersonsCell, ResponsibleCell } from './hazard-cell.web.tsx'
import { RiskMatrixTable, RiskRatingBadge, useRiskMatrix } from './matrix.web.tsx'
import type { SuggestedHazard } from './state.web.ts'
import { HAZARD_COLUMNS, type HazardColumn, type HazardGridActions, type RiskRatingKind } from './state.web.ts'

export interface HazardRowProps {
  readonly hazard: GridHazard
  /** Number of the hazard in the document, from 1. */
  readonly number: number
  /** Index of the hazard's first line among all lines, used to find the hazard's errors. */
  readonly line: number
  /** Cell with keyboard focus, if the cell is in this row. */
  readonly place: CellPosition<HazardColumn> | undefined
  readonly actions: HazardGridActions
  readonly offered: readonly SuggestedHazard[]
  /** Groups of people chosen for the assessment. */
  readonly groups: readonly string[]
  /** ID of the form field. */
  readonly id: string
  /** Document from which hazards were copied. */
  readonly from: string
  /** Opens the dialog to choose COSHH assessments. */
  readonly linkCoshh: () => void
}

/** Table row of a hazard. Typing in this row doesn't re-render other rows. */
export const EditableHazardRow = memo(function GridRow({
  hazard,
  number,
  line,
  place,
  actions,
  offered,
  groups,
  id,
  from,
  linkCoshh,
}: HazardRowProps) {
  const matrix = useRiskMatrix()
  const { key, head, controls } = hazard
  const cell = (col: HazardColumn) => ({
    row: key,
    col,
    nth: HAZARD_COLUMNS.indexOf(col) + 1,
    at: place?.col === col ? place : undefined,
    actions,
    id: `${id}[${line}].${FIELD[col]}`,
    also: ALSO[col]?.map((field) => `${id}[${line}].${field}`).join(' '),
  })
  const name = head.hazardName || 'Unnamed hazard'
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus
    <div role="row" className={css.row} aria-rowindex={number + 1} data-open={place?.editing || undefined} data-hazard>
      <GridCell
        {...cell('hazard')}
        label="Hazard "
        editor={
          <HazardCell
            hazard={hazard}
            actions={actions}
            offered={offered}
            onChosen={() => actions.leave(key, 'hazard')}
          />
        }
      >
        <span className={css.number}>{number}</span>
        <span className={css.name}>
          <strong>{name}</strong>
          {head.group && <small>{head.group}</small>}
        </span>
      </GridCell>
      <GridCell
        {...cell('persons')}
        label="Who might be harmed: "
        editor={
          <PersonsCell value={head.persons} groups={groups} onChange={(persons) => actions.change(key, { persons })} />
        }
      >
        {head.persons || <CellPlaceholder>Who?</CellPlaceholder>}
      </GridCell>
      <GridCell
        {...cell('controls')}
        label="Controls: "
        editor={<ControlsEditor hazard={hazard} actions={actions} start={place?.start} />}
      >
        {controls.length === 0 ? (
          <CellPlaceholder>Which controls are in place?</CellPlaceholder>
        ) : (
          <span className={css.controls}>
            {controls.map((c) => (
              <span key={hazardLineKeyOf(c)} className={css.chip} data-tier={c.tier}>
                <ControlChip line={c} />
              </span>
            ))}
            {findHazardWarnings(matrix, hazard).map((said) => (
              <span key={said} className={css.warning}>
                {said}
              </span>
            ))}
          </span>
        )}
      </GridCell>
      <RatingCell {...cell('initial')} which="initial" hazard={hazard} />
      <RatingCell {...cell('residual')} which="residual" hazard={hazard} />
      <GridCell
        {...cell('responsible')}
        label="Responsible: "
        editor={<ResponsibleCell hazard={hazard} actions={actions} />}
      >
        {head.responsible || <CellPlaceholder>Who is responsible?</CellPlaceholder>}
      </GridCell>
      <CellFrame of={{ row: key, col: 'menu', nth: HAZARD_COLUMNS.length }}>
        <RowMenu row={key} active={place?.col === 'menu'} actions={actions} name={name} linkCoshh={linkCoshh} />
      </CellFrame>
      {head.hazard && !controls.length && place?.editing !== true && (
        <div role="gridcell" tabIndex={-1} aria-colspan={HAZARD_COLUMNS.length} className={css.across}>
          <AddAllControlsButton hazard={hazard} actions={actions} tabIndex={-1} />
        </div>
      )}
      {isHazardUnconfirmed(hazard) && (
        <div role="gridcell" tabIndex={-1} aria-colspan={HAZARD_COLUMNS.length} className={css.across}>
          <CopyConfirmation
            name={name}
            question={formatCopiedHazardPrompt(from)}
            tabIndex={-1}
            onConfirm={() => actions.confirm(key, 'initial')}
          />
        </div>
      )}
    </div>
  )
})

/** Field whose errors each column shows. */
const FIELD: Readonly<Record<HazardColumn, string>> = {
  hazard: 'hazardName',
  persons: 'persons',
  controls: 'controlName',
  initial: 'probability',
  residual: 'residualProbability',
  responsible: 'responsible',
  menu: 'menu',
}

/** Other fields whose errors a column also shows. */
const ALSO: Readonly<Partial<Record<HazardColumn, readonly string[]>>> = {
  controls: ['plannedFor', 'ppeReason', 'residualReason'],
  initial: ['unconfirmed'],
}

interface RatingProps extends Omit<GridCellContext<HazardColumn>, 'actions'> {
  readonly actions: HazardGridActions
  readonly which: RiskRatingKind
  readonly hazard: GridHazard
}

/** Cell for a rating, entered as two digits or chosen in a matrix. The matrix is mounted only while it is open. */
const RatingCell = memo(function RatingCell({ which, hazard, actions, ...facts }: RatingProps) {
  const cell = { ...facts, actions }
  const { row, col, at } = cell
  const initial = which === 'initial'
  const value = initial ? initialRatingOf(hazard) : residualRatingOf(hazard)
  const what = initial ? 'Initial risk' : 'Residual risk'
  const half = initial ? hazard.head.probability : hazard.head.residualProbability
  const opener = (
    <span className={css.ratingTarget}>
      <CellButton of={cell} label={`${what}: `}>
        {at?.half ? (
          <span className={css.half}>{`${half} × _`}</span>
        ) : (
          <RiskRatingBadge value={value} none={initial ? 'Not yet rated' : 'Not rated'} />
        )}
      </CellButton>
    </span>
  )
  return (
    <CellFrame of={cell}>
      {at?.editing ? (
        <Popover
          opened
          onChange={(open) => !open && actions.leave(row, col)}
          withinPortal={false}
          withRoles={false}
          trapFocus
          shadow="md"
          position="bottom"
          width={480}
        >
          <Popover.Target>{opener}</Popover.Target>
          <Popover.Dropdown>
            <RiskMatrixTable
              label={what}
              chosen={value}
              onChoose={(j) => {
                actions.judge(row, which, j.probability, j.severity)
                actions.leave(row, col)
              }}
            />
          </Popover.Dropdown>
        </Popover>
      ) : (
        opener
      )}
    </CellFrame>
  )
})

interface RowMenuProps {
  /** Key of the hazard. */
  readonly row: string
  readonly active: boolean
  readonly actions: HazardGridActions
  readonly name: string
  readonly linkCoshh: () => void
}

const RowMenu = memo(function RowMenu({ row: key, active, actions, name, linkCoshh }: RowMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          data-cell
          tabIndex={active ? 0 : -1}
          aria-label={`More actions for ${name}`}
          onFocus={() => actions.activate(key, 'menu')}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => actions.add({}, key)}>
          New hazard below
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => actions.duplicate(key)}>
          Duplicate
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowUp size={16} aria-hidden />} onClick={() => actions.move(key, -1)}>
          Move up
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowDown size={16} aria-hidden />} onClick={() => actions.move(key, 1)}>
          Move down
        </Menu.Item>
        <Menu.Item leftSection={<IconFlask size={16} aria-hidden />} onClick={linkCoshh}>
          Link COSHH assessment to this document
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red.8" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => actions.retire(key)}>
          Remove hazard
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
})
