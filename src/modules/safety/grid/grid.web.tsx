// biome-ignore-all lint/a11y/useSemanticElements: table elements can't be rearranged on a narrow screen
// biome-ignore-all lint/a11y/useFocusableInteractive: its cells take the focus
import { Button, Collapse, Group, Text, VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconBooks, IconFlask, IconGridDots, IconPlus, IconX } from '@tabler/icons-react'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { idFromAnyIri } from '#kernel/iri.ts'
import { toText } from '#kernel/text.ts'
import { ADD_REFERENCE_PARAM } from '#modules/documents/types/reference.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { CellButton } from '#web/grid/cell.tsx'
import type { CellPosition } from '#web/grid/cell-place.ts'
import { NEW_ROW_KEY } from '#web/grid/cell-place.ts'
import type { EditableGridActions } from '#web/grid/keys.ts'
import { handleGridKey, handleGridPaste } from '#web/grid/keys.ts'
import { useSkipLink } from '#web/shell/skip-links.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { HelpButton } from '#web/ui/help.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { KeyHint } from '#web/ui/keys/shortcut.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { riskMatrixFromRecord } from '../risk-matrix/bands.ts'
import { HazardCards } from './cards.web.tsx'
import css from './grid.module.css'
import {
  countUnconfirmedControls,
  formatRiskRating,
  initialRatingOf,
  isHazardUnconfirmed,
  parsePastedHazards,
  type RiskRating,
  residualRatingOf,
} from './grid.ts'
import { HazardTable } from './hazard-table.web.tsx'
import type { HazardLine } from './line.ts'
import { RiskMatrices } from './matrices.web.tsx'
import { RiskMatrixContext } from './matrix.web.tsx'
import { EditableHazardRow } from './row.web.tsx'
import type { HazardColumn, HazardGridActions } from './state.web.ts'
import {
  HAZARD_COLUMNS,
  type RiskRatingKind,
  type SuggestedHazard,
  useHazardGrid,
  useSuggestedHazards,
} from './state.web.ts'

const isRating = (col: HazardColumn): col is RiskRatingKind => col === 'initial' || col === 'residual'

/** Hazard field that each text column edits. */
const TEXT_COLUMN_FIELDS: Readonly<Partial<Record<HazardColumn, keyof HazardLine>>> = {
  hazard: 'hazardName',
  persons: 'persons',
  responsible: 'responsible',
}

/**
 * Returns the keyboard actions of the hazard grid. In a rating cell, two digits set the rating; in a text cell, typing
 * replaces the text.
 */
function hazardSheetActions(
  actions: HazardGridActions,
  place: CellPosition<HazardColumn>,
): EditableGridActions<HazardColumn> {
  return {
    go: actions.go,
    edit: actions.edit,
    leave: actions.leave,
    move: actions.move,
    add: (below) => actions.add({}, below),
    remove: actions.retire,
    paste: (cells, below) => actions.insert(parsePastedHazards(cells), below),
    clear: (key, col) => {
      const field = TEXT_COLUMN_FIELDS[col]
      if (!field || col === 'hazard') return false
      actions.change(key, { [field]: '' })
      return true
    },
    type: (key, col, character) => {
      if (isRating(col)) {
        if (/y/i.test(character)) return actions.confirm(key, col)
        if (!/[1-5]/.test(character)) return false
        actions.digit(key, col, Number(character))
        return true
      }
      if (key === NEW_ROW_KEY) {
        actions.add({ hazardName: character }, undefined, character)
        return true
      }
      const field = TEXT_COLUMN_FIELDS[col]
      if (field) {
        actions.change(key, { [field]: character })
        actions.edit(key, col, place.start)
      } else if (col === 'controls') actions.edit(key, col, character)
      else return false
      return true
    },
  }
}

/** Side panel of the hazard library, loaded when it is first opened. */
const HazardLibrary = lazyComponent(async () => ({
  default: (await import('../library/hazard-library.web.tsx')).HazardLibraryPanel,
}))

const HEADS = ['Hazard', 'Who might be harmed', 'Controls', 'Initial risk', 'Residual risk', 'Responsible', '']
const NO_SUGGESTED_HAZARDS: readonly SuggestedHazard[] = []

interface Filter {
  readonly which: RiskRatingKind
  readonly at: RiskRating
}

/** Form field for hazards and controls: a keyboard-driven table, or cards on a phone. */
export function HazardGrid({ field, value, onChange, readOnly, error, id, read }: CustomFieldProps) {
  const phone = useIsPhone()
  const held = read('matrix')
  const risks = useMemo(() => riskMatrixFromRecord({ matrix: held }), [held])
  const { grid, place, said, root, actions } = useHazardGrid(value, onChange, risks)
  const [filter, setFilter] = useState<Filter>()
  const [opened, setOpened] = useState<boolean>()
  const [matrix, showMatrix] = useLocalStorage({
    key: 'stanchion-risk-matrices',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const from = toText(read('copiedFrom'))
  const open = grid.filter(isHazardUnconfirmed).length
  const industry = linkedRecordIri(read('industry')) ?? undefined
  const all = useSuggestedHazards(industry) ?? NO_SUGGESTED_HAZARDS
  const used = grid
    .map((h) => h.head.hazard)
    .filter(Boolean)
    .join(' ')
  const offered = useMemo(() => {
    const have = new Set(used.split(' '))
    return all.filter((h) => !have.has(h['@id']))
  }, [all, used])
  const affected = read('groupsAffected')
  const groups = useMemo(() => (Array.isArray(affected) ? affected.map(toText).filter(Boolean) : []), [affected])
  const shown = filter
    ? grid.filter((h) => {
        const j = filter.which === 'initial' ? initialRatingOf(h) : residualRatingOf(h)
        return (j?.probability === filter.at.probability && j.severity === filter.at.severity) || h.key === place.key
      })
    : grid
  const lines = useMemo(() => lineNumbers(grid), [grid])
  const unconfirmed = useMemo(() => grid.reduce((sum, h) => sum + countUnconfirmedControls(h), 0), [grid])
  const [, setSearch] = useSearchParams()
  const linkCoshh = useCallback(() => setSearch({ step: 'files', [ADD_REFERENCE_PARAM]: 'coshh' }), [setSearch])
  useSkipLink('Skip to the hazards', toWork)
  if (readOnly) return <HazardTable grid={grid} matrix={risks} />
  const sheet = { columns: HAZARD_COLUMNS, keys: shown.map((h) => h.key), actions: hazardSheetActions(actions, place) }
  return (
    <RiskMatrixContext value={risks}>
      <section aria-label={field.label} className={css.field} data-hazards-here>
        <Group gap="xs" className={css.bar}>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => actions.add()}>
            Add hazard
          </Button>
          <Button variant="default" leftSection={<IconBooks size={16} aria-hidden />} onClick={() => setOpened(true)}>
            Hazard library
          </Button>
          <Button variant="default" leftSection={<IconFlask size={16} aria-hidden />} onClick={linkCoshh}>
            Link COSHH assessment
          </Button>
          <Button
            variant="subtle"
            leftSection={<IconGridDots size={16} aria-hidden />}
            aria-expanded={matrix}
            onClick={() => showMatrix(!matrix)}
          >
            {matrix ? 'Hide matrix' : 'Show matrix'}
          </Button>
          <HelpButton name="Hazards and controls">{HELP}</HelpButton>
          <Text size="sm" c="dimmed" ms="auto">
            {`${grid.length} ${grid.length === 1 ? 'hazard' : 'hazards'}${open ? `, ${open} to confirm` : ''}${unconfirmed ? `, ${unconfirmed} ${unconfirmed === 1 ? 'control' : 'controls'} to confirm` : ''}`}
          </Text>
        </Group>
        {error && <ErrorText>{error}</ErrorText>}
        <Collapse expanded={matrix}>
          <RiskMatrices grid={grid} filter={filter} onFilter={setFilter} />
        </Collapse>
        {filter && (
          <Group gap="xs" role="status">
            <Text size="sm">
              {`Showing ${shown.length} of ${grid.length}: ${filter.which === 'initial' ? 'initial risk' : 'residual risk'} ${formatRiskRating(risks, filter.at)}`}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconX size={14} aria-hidden />}
              onClick={() => setFilter(undefined)}
            >
              Show all
            </Button>
          </Group>
        )}
        {phone ? (
          <HazardCards {...{ place, actions, offered, groups, lines, id, from }} grid={shown} all={grid} />
        ) : (
          <div className={css.frame}>
            <div
              ref={root}
              role="grid"
              className={css.grid}
              aria-label={field.label}
              aria-rowcount={grid.length + 2}
              aria-colcount={HAZARD_COLUMNS.length}
              onKeyDown={(e) => {
                const at = e.altKey && e.code === 'KeyA' ? rowAt(e.target) : undefined
                if (at !== undefined) {
                  e.preventDefault()
                  void actions.addAll(at)
                } else handleGridKey(e, sheet)
              }}
              onPaste={(e) => handleGridPaste(e, sheet)}
            >
              <div role="row" className={css.heads} aria-rowindex={1}>
                {HEADS.map((head, i) => (
                  <div key={HAZARD_COLUMNS[i]} role="columnheader" aria-colindex={i + 1} data-col={HAZARD_COLUMNS[i]}>
                    {head || <VisuallyHidden>More</VisuallyHidden>}
                  </div>
                ))}
              </div>
              {shown.map((h) => (
                <EditableHazardRow
                  key={h.key}
                  hazard={h}
                  number={(lines.get(h.key)?.number ?? 0) + 1}
                  line={lines.get(h.key)?.line ?? 0}
                  place={place.key === h.key ? place : undefined}
                  actions={actions}
                  offered={place.key === h.key ? offered : NO_SUGGESTED_HAZARDS}
                  groups={groups}
                  id={id}
                  from={from}
                  linkCoshh={linkCoshh}
                />
              ))}
              <div role="row" className={css.newRow} aria-rowindex={grid.length + 2}>
                <div
                  role="gridcell"
                  tabIndex={-1}
                  data-row={NEW_ROW_KEY}
                  data-col="hazard"
                  aria-colspan={HAZARD_COLUMNS.length}
                >
                  <CellButton
                    of={{
                      row: NEW_ROW_KEY,
                      col: 'hazard',
                      nth: 1,
                      at: place.key === NEW_ROW_KEY || !grid.some((h) => h.key === place.key) ? place : undefined,
                      actions: { activate: actions.activate, edit: () => actions.add(), left: () => undefined },
                    }}
                    label=""
                  >
                    <IconPlus size={16} aria-hidden /> New hazard: type its name, or paste a table
                  </CellButton>
                </div>
              </div>
            </div>
            <p className={css.keys} data-after-grid tabIndex={-1}>
              <KeyHint>
                Press Enter to edit, and Tab or the arrow keys to move. Type two digits to rate a risk. Press Y to
                confirm a copied rating, Alt+A to add the library’s controls, Ctrl+Enter to add a hazard, Ctrl+Delete to
                remove a hazard, Alt and an arrow key to reorder hazards, or Escape to leave the table.
              </KeyHint>
            </p>
          </div>
        )}
        <VisuallyHidden role="status">{said}</VisuallyHidden>
        {opened !== undefined && (
          <Suspense>
            <HazardLibrary
              opened={opened}
              onClose={() => setOpened(false)}
              {...(industry ? { industry } : {})}
              exclude={grid.flatMap((h) => idFromAnyIri(h.head.hazard) ?? [])}
              onAdd={actions.addFromLibrary}
            />
          </Suspense>
        )}
      </section>
    </RiskMatrixContext>
  )
}

/** Focuses the first cell, or the first card on a phone. */
const toWork = () => document.querySelector<HTMLElement>('[data-hazards-here] :is([data-cell], li button)')?.focus()

/** Returns the key of the hazard whose row contains the event target. */
const rowAt = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined

/** Returns each hazard's index, and the index of its first line among all lines. */
function lineNumbers(grid: readonly { readonly key: string; readonly controls: readonly unknown[] }[]) {
  let line = 0
  return new Map(
    grid.map((h, number) => {
      const at = { number, line }
      line += 1 + h.controls.length
      return [h.key, at]
    }),
  )
}

const HELP =
  'Type the hazard’s name; matching hazards from the library are offered. Then enter who might be harmed and the controls, and rate the initial risk and the residual risk. To rate a risk, type two digits, probability and severity, or press Enter for the matrix. Alt+A adds all controls that the library has for the hazard. Y confirms a copied hazard and moves to the next hazard. While you type a control, Alt+1 to Alt+5 set its type. You can paste a table from a spreadsheet with these columns: hazard, who might be harmed, controls (separated by “;”), probability and severity.'
