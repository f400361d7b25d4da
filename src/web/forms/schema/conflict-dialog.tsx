import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Button, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { usePersonNames } from '../../api/names.ts'
import { formatIsoAsUkDateTime, londonToday, splitDateAndTime } from '../../dates/uk-dates.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import type { Autosave, SaveStamp } from './autosave.ts'
import css from './conflict-dialog.module.css'
import { formatDisplayValue } from './display-value.ts'
import { useAutosaveState } from './saved-state.tsx'
import type { FieldConflict } from './versions.ts'

interface Props {
  readonly autosave: Autosave
  readonly schema: FormSchema
}

/**
 * Dialog shown if somebody else has saved different values for the same fields. It shows both versions of each field,
 * and the person chooses one.
 */
export function ConflictDialog({ autosave, schema }: Props) {
  const state = useAutosaveState(autosave)
  const [later, setLater] = useState<SaveConflict>()
  const open = state.kind === 'conflict' && later !== state ? state : undefined
  return (
    <>
      {state.kind === 'conflict' && later === state && (
        <Button size="xs" variant="default" onClick={() => setLater(undefined)}>
          Compare versions
        </Button>
      )}
      <Dialog
        opened={open !== undefined}
        onClose={() => state.kind === 'conflict' && setLater(state)}
        title="Somebody else has changed this too"
      >
        {state.kind === 'conflict' && (
          <>
            {state.saved && <SavedVersionNote saved={state.saved} />}
            <Choices fields={state.fields} schema={schema} onDone={autosave.resolve} />
          </>
        )}
      </Dialog>
    </>
  )
}

type SaveConflict = Extract<ReturnType<Autosave['state']>, { kind: 'conflict' }>

/**
 * Who saved the other version, and when: “Changed by Jane Doe at 14:05”. A person whose name the reader can't see is
 * not named, not even by username.
 */
function SavedVersionNote({ saved: { by, at } }: { readonly saved: SaveStamp }) {
  const nameOf = usePersonNames([by])
  const name = nameOf(by)
  const { day, time } = splitDateAndTime(at)
  const when = day === londonToday() ? `at ${time}` : `on ${formatIsoAsUkDateTime(at)}`
  return <Text mb="xs">{name === by ? `Changed ${when}` : `Changed by ${name} ${when}`}</Text>
}

interface ChoicesProps {
  readonly fields: readonly FieldConflict[]
  readonly schema: FormSchema
  readonly onDone: (theirs: readonly string[]) => void
}

function Choices({ fields, schema, onDone }: ChoicesProps) {
  const [theirs, setTheirs] = useState<readonly string[]>([])
  const all = formFieldsIn(schema)
  return (
    <>
      <Text mb="md">
        Both versions are safe. Choose which one to keep for each field. Changes to other fields have been merged.
      </Text>
      <Stack gap="lg">
        {fields.map(({ name, mine, theirs: other }) => {
          const field = all.find((f) => f.name === name)
          return (
            <Radio.Group
              key={name}
              label={field?.label ?? name}
              value={theirs.includes(name) ? 'theirs' : 'mine'}
              onChange={(v) => setTheirs(v === 'theirs' ? [...theirs, name] : theirs.filter((n) => n !== name))}
            >
              <div className={css.versions}>
                <Radio value="mine" label={<Version whose="Your version" text={formatDisplayValue(field, mine)} />} />
                <Radio
                  value="theirs"
                  label={<Version whose="Saved version" text={formatDisplayValue(field, other)} />}
                />
              </div>
            </Radio.Group>
          )
        })}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={() => setTheirs(fields.map((f) => f.name))}>
          Choose all saved versions
        </Button>
        <Button onClick={() => onDone(theirs)}>Save my choice</Button>
      </DialogActions>
    </>
  )
}

const Version = ({ whose, text }: { readonly whose: string; readonly text: string }) => (
  <>
    <strong>{whose}</strong>
    <span className={css.text}>{text}</span>
  </>
)
