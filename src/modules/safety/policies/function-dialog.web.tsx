import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete, Button, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { toText } from '#kernel/text.ts'
import { PersonNameInput } from '#modules/documents/named-employees/name-input.web.tsx'
import { useActor } from '#web/api/me.ts'
import { useList, useSaveRecord } from '#web/api/resources.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { policyFunction, policyPerson } from './arrangement.ts'
import { splitResponsibilities } from './policy.ts'
import { toPolicyFunctionRow } from './rows.ts'

export type PolicyFunctionRow = ReturnType<typeof toPolicyFunctionRow>

interface Props {
  readonly opened: boolean
  readonly row: PolicyFunctionRow | undefined
  readonly taken: readonly string[]
  readonly onClose: () => void
  readonly onSaved: (row: PolicyFunctionRow) => void
}

/** Dialog to edit a function, its holder and its responsibilities. */
export function PolicyFunctionDialog({ opened, row, onClose, ...more }: Props) {
  const [shown, setShown] = useState(row)
  // Keeps the content visible while the dialog closes.
  if (opened && shown !== row) setShown(row)
  return (
    <Dialog opened={opened} onClose={onClose} title={shown ? 'Edit function' : 'New function'} size="44rem">
      <FunctionForm key={toText(shown?.function)} row={shown} onClose={onClose} {...more} />
    </Dialog>
  )
}

const REQUIRED = 'Item is required'
const FIELD_NAMES = ['function', 'person', 'responsibilities'] as const

/** Form to edit a function. New functions and people are added to the library, so that other policies can use them. */
function FunctionForm({ row, taken, onClose, onSaved }: Omit<Props, 'opened'>) {
  const actor = useActor()
  const [said, setSaid] = useState<PolicyFunctionRow>(
    row ?? { function: '', person: '', employee: 0, responsibilities: '' },
  )
  const [asked, setAsked] = useState(false)
  const functions = useList(policyFunction, { retired: false, itemsPerPage: 100 }).data?.['hydra:member'] ?? []
  const people = useList(policyPerson, { retired: false, itemsPerPage: 100 }).data?.['hydra:member'] ?? []
  const [makeFunction, makePerson] = [useSaveRecord(policyFunction), useSaveRecord(policyPerson)]
  const wrong = (name: (typeof FIELD_NAMES)[number]) => (asked && !said[name].trim() ? REQUIRED : undefined)
  const set = (more: Partial<PolicyFunctionRow>) => setSaid({ ...said, ...more })
  const known = (title: string) => functions.find((one) => one.title === title)
  const usual = (title: string) => toPolicyFunctionRow(known(title) ?? {}).responsibilities
  const chooseFunction = (title: string) => {
    // If the user has not edited the responsibilities, replaces them with the usual responsibilities of the new
    // function.
    const untouched = !said.responsibilities.trim() || said.responsibilities === usual(said.function)
    set({ function: title, ...(untouched && known(title) ? { responsibilities: usual(title) } : {}) })
  }
  const keep = async () => {
    try {
      const [title, person] = [said.function.trim(), said.person.trim()]
      if (can(actor, 'create', policyFunction) && !functions.some((one) => one.title === title))
        await makeFunction.mutateAsync({
          values: { title, responsibilities: splitResponsibilities(said.responsibilities) },
        })
      if (can(actor, 'create', policyPerson) && !people.some((one) => one.title === person))
        await makePerson.mutateAsync({ values: { title: person } })
    } catch (e) {
      toast.failed(e, () => void keep())
    }
  }
  const save = () => {
    setAsked(true)
    if (FIELD_NAMES.some((name) => !said[name].trim())) return
    onSaved({ ...said, function: said.function.trim(), person: said.person.trim() })
    onClose()
    void keep()
  }
  const offered = (all: readonly { readonly title: string | null }[]) => [
    ...new Set(all.map(({ title }) => title ?? '')),
  ]
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        e.stopPropagation()
        save()
      }}
    >
      <Stack gap="md">
        <Autocomplete
          label="Function (Required)"
          description="Choose a function or type a new one."
          required
          data-autofocus
          data={offered(functions).filter((title) => title === said.function || !taken.includes(title))}
          value={said.function}
          error={wrong('function')}
          onChange={chooseFunction}
        />
        <PersonNameInput
          label="Person (Required)"
          description="The person who holds this function. If several people share the function, enter all their names."
          required
          others={offered(people)}
          value={said.person}
          error={wrong('person')}
          onChange={(person, employee) => set({ person, employee: employee ?? 0 })}
        />
        <Textarea
          label="Responsibilities (Required)"
          description="One per line."
          required
          autosize
          minRows={4}
          maxLength={4000}
          value={said.responsibilities}
          error={wrong('responsibilities')}
          onChange={(e) => set({ responsibilities: e.currentTarget.value })}
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit">{row ? 'Save' : 'Add'}</Button>
      </DialogActions>
    </form>
  )
}
