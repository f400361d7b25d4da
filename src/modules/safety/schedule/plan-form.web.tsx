import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { fieldInputLabel } from '#web/forms/labels.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { toolboxTalk } from '../talks/toolbox-talk.ts'
import css from './schedule.module.css'
import { type ScheduledTalkRecord, scheduledTalk } from './scheduled-talk.ts'
import type { SuggestedTalk } from './suggesting.ts'

interface Props {
  readonly plan?: ScheduledTalkRecord
  readonly onCancel: () => void
  readonly onSaved: () => void
}

export const ScheduledTalkForm = ({ plan, onCancel, onSaved }: Props) => (
  <ResourceForm
    resource={scheduledTalk}
    fields={plan ? ['week', 'presenter', 'place', 'notes'] : ['talk', 'week', 'presenter', 'place', 'notes']}
    {...(plan ? { record: plan } : { defaults: { week: londonToday() } })}
    wide={['talk']}
    inputs={{ talk: TalkInput, presenter: PresenterInput }}
    action={plan ? 'Save' : 'Plan'}
    done={(saved) => (plan ? 'Planned talk saved' : `“${saved.title}” planned`)}
    onCancel={onCancel}
    onSaved={onSaved}
  />
)

const IN_FORCE = { current: true, retired: false }

/** Input to choose a talk in force, with suggestions below. */
function TalkInput({ name, field, id, value, onChange, onBlur, error }: FieldInputProps) {
  const heading = useId()
  const suggested = useQuery({
    // This key makes the suggestions refetch together with the lists, because planned talks are no longer suggested.
    queryKey: [scheduledTalk.url, 'list', 'suggested'],
    queryFn: ({ signal }) =>
      callApi<Collection<SuggestedTalk>>('GET', `${scheduledTalk.url}/suggested`, undefined, { signal }),
  }).data?.['hydra:member']
  return (
    <div className={css.talk}>
      <RemoteSelect
        {...(id ? { id } : {})}
        target={toolboxTalk.resource}
        label={fieldInputLabel(name, field)}
        required
        params={IN_FORCE}
        value={value}
        onChange={onChange}
        {...(onBlur ? { onBlur } : {})}
        error={error}
      />
      {suggested && suggested.length > 0 && (
        <section aria-labelledby={heading}>
          <Text id={heading} size="sm" fw={600}>
            Suggested
          </Text>
          <ul className={css.suggested}>
            {suggested.map((one) => (
              <li key={one['@id']}>
                <Button
                  variant="default"
                  aria-pressed={value === one['@id']}
                  className={css.suggestion ?? ''}
                  onClick={() => onChange(one['@id'])}
                >
                  {one.title}
                </Button>
                <Text size="sm" c="dimmed">
                  {one.why}
                </Text>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** Input for the presenter: a colleague, or any other name. */
function PresenterInput({ name, field, id, value, onChange, onBlur, error }: FieldInputProps) {
  const company = usePotentialSignatories().data?.['hydra:member'] ?? []
  return (
    <Autocomplete
      {...(id ? { id } : {})}
      label={fieldInputLabel(name, field)}
      required
      autoComplete="off"
      description="Presenters with an account get a reminder."
      limit={12}
      data={[...new Set(company.map(({ name }) => name))]}
      value={typeof value === 'string' ? value : ''}
      error={error}
      {...(onBlur ? { onBlur } : {})}
      onChange={onChange}
    />
  )
}
