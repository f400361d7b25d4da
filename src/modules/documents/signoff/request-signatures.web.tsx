import { createTextMatcher } from '#kernel/text/search.ts'
import '@mantine/core/styles/Combobox.layer.css'
import { Button, Checkbox, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { audienceLabel } from '../types/audience.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { readingProofQueryOptions } from './own-requests.web.ts'
import {
  type PotentialSignatory,
  updateSelectedPeople,
  usePotentialSignatories,
  useSignOffMutation,
} from './people.web.ts'
import css from './sign-off.module.css'
import { roleLabel, signOff } from './sign-off.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly onClose: () => void
}

type Whom = 'people' | 'everybody' | 'role'

const DAYS = 14

/** Returns the proposed day to sign by: the day before the work starts if that is still to come, or in two weeks. */
function proposeDueDate({ startDate }: DocumentRecord): string {
  const today = Temporal.PlainDate.from(londonToday())
  const inTwoWeeks = today.add({ days: DAYS }).toString()
  if (typeof startDate !== 'string' || !startDate) return inTwoWeeks
  const dayBefore = Temporal.PlainDate.from(startDate.slice(0, 10)).subtract({ days: 1 })
  return Temporal.PlainDate.compare(dayBefore, today) < 0 ? inTwoWeeks : dayBefore.toString()
}

/** Dialog to ask selected people, everyone or a role to sign a document in force. */
export default function RequestSignaturesDialog({ kind, record, onClose }: Props) {
  const readers = usePotentialSignatories(record)
  const send = useSignOffMutation(kind)
  const [whom, setWhom] = useState<Whom>('people')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [role, setRole] = useState<string | null>(null)
  const [due, setDue] = useState<string | null>(() => proposeDueDate(record))
  const [notes, setNotes] = useState('')
  const [proof, setProof] = useState(false)
  const canAsk = (useQuery(readingProofQueryOptions(record.id)).data?.questions.length ?? 0) > 0
  const [failure, setFailure] = useState<string>()
  const people = readers.data?.['hydra:member']
  const ask = async () => {
    setFailure(undefined)
    const asked = whom === 'people' ? { people: [...chosen] } : whom === 'everybody' ? { everybody: true } : { role }
    try {
      await send.mutateAsync({
        url: signOff.url,
        body: { document: iriOf(document, record.id), due, notes, proof: proof && canAsk, ...asked },
      })
      toast.info(`Signatures requested for ${record.documentNumber}`, 'safe')
      onClose()
    } catch (e) {
      setFailure(errorSentence(e))
    }
  }
  return (
    <Dialog opened onClose={onClose} title={`Request signatures for ${record.documentNumber}`} size="36rem">
      <Stack gap="md">
        <SegmentedControl
          aria-label="Signatories"
          fullWidth
          value={whom}
          onChange={(next) => setWhom(next as Whom)}
          data={[
            { value: 'people', label: 'People' },
            { value: 'everybody', label: 'Everyone' },
            { value: 'role', label: 'By role' },
          ]}
        />
        {whom !== 'people' && (
          <Text size="sm">People who join later will also be asked; people who leave will no longer be asked.</Text>
        )}
        {record.audience.length > 0 && (
          <Text size="sm">{`Only people who can read this document will be asked: ${audienceLabel(record.audience)}.`}</Text>
        )}
        {people === undefined ? (
          readers.isError ? (
            <ErrorState error={readers.error} onRetry={() => void readers.refetch()} />
          ) : (
            <LoadingRows rows={5} />
          )
        ) : whom === 'people' ? (
          <Choose people={people} chosen={chosen} onChange={setChosen} />
        ) : (
          whom === 'role' && (
            <Select
              label="Role"
              data={[...new Set(people.flatMap((p) => p.roles))]
                .sort()
                .map((value) => ({ value, label: roleLabel(value) }))}
              value={role}
              onChange={setRole}
            />
          )
        )}
        <DateField label="Sign by" value={due} onChange={setDue} min={londonToday()} />
        <Textarea
          label="Note"
          description="Included in their e-mail."
          maxLength={500}
          autosize
          minRows={1}
          value={notes}
          onChange={(e) => setNotes(e.currentTarget.value)}
        />
        {canAsk && (
          <Checkbox
            label="Proof of reading"
            description="Before signing, each person reads to the end and answers up to three questions about the content."
            checked={proof}
            onChange={(e) => setProof(e.currentTarget.checked)}
          />
        )}
        {failure && <FormErrorText>{failure}</FormErrorText>}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={send.isPending} onClick={() => void ask()}>
          {whom === 'people' && chosen.size
            ? `Send ${chosen.size} ${chosen.size === 1 ? 'request' : 'requests'}`
            : 'Request signatures'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface ChooseProps {
  readonly people: readonly PotentialSignatory[]
  readonly chosen: ReadonlySet<number>
  readonly onChange: (chosen: ReadonlySet<number>) => void
}

/** Checklist of people, searchable by name or username. */
function Choose({ people, chosen, onChange }: ChooseProps) {
  const [words, setWords] = useState('')
  const isFound = createTextMatcher(words)
  const found = people.filter((p) => isFound(p.name, p.username))
  const all = found.length > 0 && found.every((p) => chosen.has(p.id))
  const set = (ids: readonly number[], on: boolean) => onChange(updateSelectedPeople(chosen, ids, on))
  return (
    <div>
      <TextInput label="Search by name" value={words} onChange={(e) => setWords(e.currentTarget.value)} />
      <Checkbox
        my="sm"
        label={words.trim() ? `Select the ${found.length} found` : `Select all ${found.length}`}
        checked={all}
        indeterminate={!all && found.some((p) => chosen.has(p.id))}
        disabled={!found.length}
        onChange={(e) =>
          set(
            found.map((p) => p.id),
            e.currentTarget.checked,
          )
        }
      />
      <ul className={css.people} aria-label="People">
        {found.map((p) => (
          <li key={p.id}>
            <Checkbox
              label={p.name}
              checked={chosen.has(p.id)}
              onChange={(e) => set([p.id], e.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
