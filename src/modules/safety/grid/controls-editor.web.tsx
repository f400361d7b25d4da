import { createTextMatcher } from '#kernel/text/search.ts'
import '@mantine/core/styles/Menu.layer.css'
import { Button, Menu, NativeSelect, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { SuggestionInput } from '#web/grid/suggest.tsx'
import { CONTROL_TIERS, controlTierLabel } from '../library/hazard.ts'
import { AddAllControlsButton } from './add-all.web.tsx'
import css from './grid.module.css'
import {
  controlTierOf,
  countUnconfirmedControls,
  formatControlTier,
  type GridHazard,
  hazardLineKeyOf,
  takesResidualReason,
} from './grid.ts'
import type { HazardLine } from './line.ts'
import { useRiskMatrix } from './matrix.web.tsx'
import { isPpeControl } from './rules.ts'
import type { HazardGridActions } from './state.web.ts'
import { toNewControl, useSuggestedControls } from './state.web.ts'

interface Props {
  readonly hazard: GridHazard
  readonly actions: HazardGridActions
  /** Character that was typed to open the editor. */
  readonly start?: string | undefined
}

/** A hazard's controls with their kinds, and an input to add another control. */
export function ControlsEditor({ hazard, actions, start }: Props) {
  const [typed, setTyped] = useState(start ?? '')
  const [tier, setTier] = useState('')
  const matrix = useRiskMatrix()
  const free = useSuggestedControls(hazard)
  const { key, controls, head } = hazard
  const unconfirmed = countUnconfirmedControls(hazard)
  const isFound = createTextMatcher(typed)
  const found = free.filter((o) => isFound(o.name)).slice(0, 8)
  const add = (name: string) => {
    if (!name) return
    const known = free.find((o) => o.name.toLowerCase() === name.toLowerCase())
    actions.addControl(key, known ? toNewControl(known) : { name, tier: tier || null })
    setTyped('')
  }
  // When the user leaves the cell, adds any typed text as a control.
  const addRest = useEffectEvent(() => add(typed.trim()))
  useEffect(() => () => addRest(), [])
  return (
    <div className={css.controlsEditor}>
      {controls.length > 0 && (
        <ul className={css.controls}>
          {controls.map((c) => (
            <li key={hazardLineKeyOf(c)}>
              <ControlMenu line={c} hazard={key} actions={actions} />
              {c.implemented === 'no' && (
                <TextInput
                  type="date"
                  size="xs"
                  label="Planned for"
                  aria-label={`Planned for: ${c.controlName ?? ''}`}
                  value={c.plannedFor ?? ''}
                  onChange={(e) =>
                    actions.changeControl(key, hazardLineKeyOf(c), { plannedFor: e.currentTarget.value || null })
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {controls.length > 0 && controls.every(isPpeControl) && (
        <TextInput
          label="Why PPE alone is sufficient"
          description="PPE is the last resort. State why no control higher in the hierarchy is practicable."
          value={head.ppeReason ?? ''}
          maxLength={1000}
          onChange={(e) => actions.change(key, { ppeReason: e.currentTarget.value })}
        />
      )}
      {takesResidualReason(matrix, hazard) && (
        <TextInput
          label="Why a risk this high is acceptable"
          description="State which further controls were considered and why they are not practicable."
          value={head.residualReason ?? ''}
          maxLength={1000}
          onChange={(e) => actions.change(key, { residualReason: e.currentTarget.value })}
        />
      )}
      {unconfirmed > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => actions.confirmControls(key)}>
          {`Confirm ${unconfirmed === 1 ? 'this control' : `${unconfirmed} controls`}: in place, of the type shown`}
        </Button>
      )}
      <AddAllControlsButton hazard={hazard} actions={actions} />
      <div className={css.adding}>
        <NativeSelect
          aria-label="Type of the new control"
          size="xs"
          data={[{ value: '', label: 'Type?' }, ...CONTROL_TIERS.map((t) => ({ value: t.value, label: t.label }))]}
          value={tier}
          onChange={(e) => setTier(e.currentTarget.value)}
        />
        <SuggestionInput
          label="Add a control"
          offeredAs="Add a control from the library"
          placeholder="Add a control"
          editor="list"
          max={1000}
          value={typed}
          onChange={setTyped}
          offered={found.map((o) => ({ value: o['@id'], name: o.name, note: controlTierLabel(o.tier) }))}
          onChoose={(iri) => add(free.find((o) => o['@id'] === iri)?.name ?? '')}
          onKeyDown={(e) => {
            const number = e.altKey ? /^Digit([1-5])$/.exec(e.code)?.[1] : undefined
            if (number) {
              e.preventDefault()
              setTier(CONTROL_TIERS[Number(number) - 1]?.value ?? tier)
            } else if (e.key === 'Enter' && !e.defaultPrevented && !e.ctrlKey && !e.metaKey && typed.trim()) {
              e.preventDefault()
              add(typed.trim())
            } else if (e.key === 'Backspace' && typed === '') {
              const last = controls.at(-1)
              if (last) actions.removeControl(key, hazardLineKeyOf(last))
            }
          }}
        />
      </div>
    </div>
  )
}

interface MenuProps {
  readonly line: HazardLine
  readonly hazard: string
  readonly actions: HazardGridActions
}

/** Chip of a control, with its menu. */
function ControlMenu({ line, hazard, actions }: MenuProps) {
  const key = hazardLineKeyOf(line)
  const set = (values: HazardLine) => actions.changeControl(hazard, key, values)
  const planned = line.implemented === 'no'
  const isInPlace = !planned && !line.implementedUnknown
  return (
    <Menu position="bottom-start" withinPortal shadow="md">
      <Menu.Target>
        <button type="button" className={css.chip} data-tier={controlTierOf(line)}>
          <ControlChip line={line} />
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Control type</Menu.Label>
        {CONTROL_TIERS.map((t) => (
          <Menu.Item
            key={t.value}
            fw={t.value === controlTierOf(line) ? 700 : 400}
            aria-current={t.value === controlTierOf(line) || undefined}
            onClick={() => set({ tier: t.value })}
          >
            {t.label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {!isInPlace && (
          <Menu.Item onClick={() => set({ implemented: 'yes', implementedUnknown: false })}>Mark as in place</Menu.Item>
        )}
        {!planned && (
          <Menu.Item onClick={() => set({ implemented: 'no', implementedUnknown: false })}>Mark as planned</Menu.Item>
        )}
        <Menu.Item color="red.8" onClick={() => actions.removeControl(hazard, key)}>
          Remove control
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export const ControlChip = ({ line }: { readonly line: HazardLine }) => (
  <>
    <b className={css.tier}>{formatControlTier(line)}</b>
    <span className={css.chipName}>{line.controlName || 'Unnamed control'}</span>
    {line.implemented === 'no' ? (
      <i className={css.planned}>planned</i>
    ) : (
      line.implementedUnknown && <i className={css.planned}>in place?</i>
    )}
  </>
)
