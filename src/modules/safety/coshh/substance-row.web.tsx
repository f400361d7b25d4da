import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { ActionIcon, Alert, Button, Collapse, MultiSelect, NumberInput, Select, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { toText } from '#kernel/text.ts'
import { type ProposalForm, SheetProposals } from '../data-sheets/sheet-proposals.web.tsx'
import {
  AIRBORNE_LEVEL_ROWS,
  airbornePropertyOf,
  PHYSICAL_FORMS,
  QUANTITY_UNITS,
  volatilityOf,
} from '../substances/banding.ts'
import { DataSheetStatus, HazardGroupChip, SubstanceCard } from '../substances/card.web.tsx'
import { EXPOSURE_ROUTES } from '../substances/substance.ts'
import { ControlApproachPicker } from './approach.web.tsx'
import css from './coshh.module.css'
import type { SubstanceUse } from './substances-used.ts'

interface Props {
  readonly row: SubstanceUse
  /** Number of the substance in the assessment, from 1. */
  readonly number: number
  readonly id: string
  readonly readOnly: boolean
  readonly onChange: (more: Partial<SubstanceUse>) => void
  readonly onRemove: () => void
  /** Labels of the fields that differ from the library. `onTake` copies the library's values. */
  readonly changed: readonly string[]
  readonly onTake: () => void
  /** The assessment's values, to which the data sheet's values can be added. */
  readonly form: ProposalForm
}

/** Row of a substance in the task: data, amount used and control approach. */
export function CoshhSubstanceRow({ row, number, id, readOnly, onChange, onRemove, changed, onTake, form }: Props) {
  const [opened, setOpened] = useState(false)
  // Undefined until the sheet is first read. Hiding the values does not clear the record of those that were used.
  const [isReading, setReading] = useState<boolean>()
  const name = toText(row.name) || `Substance ${number}`
  const by = airbornePropertyOf(row.form)
  const likely =
    by === 'volatility' && typeof row.boilingPoint === 'number' ? volatilityOf(row.boilingPoint) : undefined
  return (
    <section id={id} tabIndex={-1} aria-label={name} className={css.substance}>
      <div className={css.head}>
        <div className={css.what}>
          <h3>{name}</h3>
          {row.supplier && <span className={css.quiet}>{row.supplier}</span>}
          <div className={css.bar}>
            <HazardGroupChip of={row} />
            <DataSheetStatus of={row} />
          </div>
        </div>
        <div className={css.bar}>
          <Button variant="subtle" size="compact-md" aria-expanded={opened} onClick={() => setOpened(!opened)}>
            {opened ? 'Hide label details' : 'Show label details'}
          </Button>
          {row.sheet && !readOnly && (
            <Button
              variant="subtle"
              size="compact-md"
              aria-expanded={isReading === true}
              onClick={() => setReading(!isReading)}
            >
              {isReading ? 'Hide data sheet values' : 'Find values in the data sheet'}
            </Button>
          )}
          {!readOnly && (
            <ActionIcon variant="subtle" color="red" size={36} aria-label={`Delete ${name}`} onClick={onRemove}>
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          )}
        </div>
      </div>
      {changed.length > 0 && !readOnly && (
        <Alert color="yellow" title="Newer data in the library">
          {`In the library, this substance’s ${new Intl.ListFormat('en-GB').format(changed)} ${changed.length === 1 ? 'is' : 'are'} no longer what ${changed.length === 1 ? 'it was' : 'they were'} when copied to this assessment.\u0020`}
          <Button variant="default" size="compact-md" onClick={onTake}>
            Update from library
          </Button>
        </Alert>
      )}
      <Collapse expanded={opened}>
        <SubstanceCard of={row} />
      </Collapse>
      {isReading !== undefined && row.sheet && (
        <Collapse expanded={isReading}>
          <SheetProposals sheet={row.sheet} form={form} into="assessment" />
        </Collapse>
      )}
      <div className={css.inputs}>
        <NumberInput
          id={`${id}.quantity`}
          label="Amount used each time"
          min={0}
          value={row.quantity ?? ''}
          readOnly={readOnly}
          onChange={(n) => onChange({ quantity: n === '' ? null : Number(n) })}
        />
        <Select
          id={`${id}.unit`}
          label="Unit"
          data={[...QUANTITY_UNITS]}
          value={row.unit ?? null}
          readOnly={readOnly}
          onChange={(unit) => onChange({ unit })}
        />
        <Select
          id={`${id}.form`}
          label="Physical form in this task"
          data={PHYSICAL_FORMS}
          value={row.form ?? null}
          readOnly={readOnly}
          onChange={(form) => onChange({ form, ...(airbornePropertyOf(form) === by ? {} : { level: null }) })}
        />
        {by && (
          <Select
            id={`${id}.level`}
            label={by === 'dustiness' ? 'Dustiness' : 'Volatility'}
            {...(likely ? { description: `Boils at ${row.boilingPoint} °C: ${likely} at room temperature.` } : {})}
            data={AIRBORNE_LEVEL_ROWS.filter((l) => l.by === by).map((l) => ({ value: l.level, label: l.label }))}
            value={row.level ?? null}
            readOnly={readOnly}
            onChange={(level) => onChange({ level })}
          />
        )}
        <MultiSelect
          id={`${id}.routes`}
          label="Routes of exposure"
          data={[...EXPOSURE_ROUTES]}
          value={[...(row.routes ?? [])]}
          readOnly={readOnly}
          onChange={(routes) => onChange({ routes })}
        />
      </div>
      <Textarea
        id={`${id}.notes`}
        label="Notes on use"
        autosize
        minRows={1}
        maxLength={2000}
        value={toText(row.notes)}
        readOnly={readOnly}
        onChange={(e) => onChange({ notes: e.currentTarget.value })}
      />
      <ControlApproachPicker row={row} name={name} id={id} readOnly={readOnly} onChange={onChange} />
    </section>
  )
}
