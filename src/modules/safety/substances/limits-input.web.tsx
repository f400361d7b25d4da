import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { Autocomplete, Button, Checkbox, NumberInput, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { labelOf } from '#kernel/fields.ts'
import { toText } from '#kernel/text.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { type ExposureLimit, formatExposureLimit, KNOWN_EXPOSURE_LIMITS } from './limits.ts'
import { substanceLimit } from './substance.ts'
import css from './substances.module.css'

const FIGURES = ['longPpm', 'longMgM3', 'shortPpm', 'shortMgM3'] as const
const AGENTS = KNOWN_EXPOSURE_LIMITS.map((limit) => limit.agent)
const f = substanceLimit.fields

export function ExposureLimitsInput({ value, onChange, error, readOnly, id }: FieldInputProps) {
  const limits = Array.isArray(value) ? (value as readonly ExposureLimit[]) : []
  const change = (i: number, more: Partial<ExposureLimit>) =>
    onChange(limits.map((limit, at) => (at === i ? { ...limit, ...more } : limit)))
  const choose = (i: number, agent: string) =>
    change(i, KNOWN_EXPOSURE_LIMITS.find((limit) => limit.agent === agent) ?? { agent })
  return (
    <fieldset id={id} tabIndex={-1} className={css.limit}>
      <legend>Workplace exposure limits</legend>
      {error && <ErrorText>{error}</ErrorText>}
      <ul className={css.limits}>
        {limits.map((limit, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end or removed
          <li key={i} className={css.limit}>
            <Autocomplete
              label="Substance covered by the limit (Required)"
              description={limit.agent ? formatExposureLimit(limit) : 'Start typing to search EH40.'}
              data={AGENTS}
              limit={20}
              value={limit.agent}
              readOnly={readOnly ?? false}
              onChange={(agent) => change(i, { agent })}
              onOptionSubmit={(agent) => choose(i, agent)}
            />
            <div className={css.figures}>
              {FIGURES.map((name) => (
                <NumberInput
                  key={name}
                  label={labelOf(name, f[name])}
                  min={0}
                  value={limit[name] ?? ''}
                  readOnly={readOnly ?? false}
                  onChange={(n) => change(i, { [name]: n === '' ? null : Number(n) })}
                />
              ))}
            </div>
            <TextInput
              label="Source"
              value={toText(limit.source)}
              readOnly={readOnly ?? false}
              onChange={(e) => change(i, { source: e.currentTarget.value })}
            />
            <Checkbox
              label="Not yet checked against the data sheet"
              checked={limit.composed === true}
              disabled={readOnly ?? false}
              onChange={(e) => change(i, { composed: e.currentTarget.checked })}
            />
            {!readOnly && (
              <Button
                variant="subtle"
                color="red.8"
                size="compact-md"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => onChange(limits.filter((_, at) => at !== i))}
              >
                {`Remove ${limit.agent || 'this limit'}`}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!readOnly && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...limits, { agent: '', source: '', composed: false }])}
        >
          Add limit
        </Button>
      )}
    </fieldset>
  )
}
