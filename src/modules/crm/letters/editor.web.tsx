import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { createContext, use, useEffect, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { useApiRecord } from '#web/api/resources.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { RichText } from '#web/forms/inputs/rich-text.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useDebouncedValues } from '#web/forms/store/use-value-store.ts'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { MAIL_MERGE_FIELDS } from '../merge-fields/merge.ts'
import { letterTemplate } from './letter.ts'
import css from './sheet.module.css'
import { LetterSheet, useLetterPreview } from './sheet.web.tsx'

type Letter = RecordOf<typeof letterTemplate>

/** Editor for a letter, with a live preview. */
export default function LetterEditor() {
  const { id } = useParams()
  const one = useApiRecord(letterTemplate, id)
  const title = id === undefined ? 'New letter' : (one.data?.name ?? 'Letter')
  return (
    <Page title={title} back={{ label: 'Letters', to: '/letters' }}>
      {id !== undefined && one.isPending && <LoadingRows rows={6} />}
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {(id === undefined || one.data) && <Words key={one.data?.id ?? 'new'} letter={one.data} />}
    </Page>
  )
}

function Words({ letter }: { readonly letter: Letter | undefined }) {
  const actor = useActor()
  const navigate = useNavigate()
  const [store, setStore] = useState<ValueStore>()
  const mayWrite = hasRole(actor, letterTemplate.allow.update ?? 'nobody')
  return (
    <div className={css.columns}>
      {mayWrite ? (
        <Lending value={setStore}>
          <ResourceForm
            resource={letterTemplate}
            fields={letter ? ['name', 'subject', 'body', 'retired'] : ['name', 'subject', 'body']}
            wide={['name', 'subject', 'body']}
            inputs={INPUTS}
            {...(letter ? { record: letter } : { keep: 'new letter' })}
            Above={Lend}
            onCancel={() => void navigate('/letters')}
            onSaved={(saved) => void navigate(letter ? '/letters' : `/letters/update/${saved.id}`)}
          />
        </Lending>
      ) : (
        <Text size="sm">
          Only mail and lead administrators can change this letter. You can print it for your leads.
        </Text>
      )}
      <section aria-label="Preview">
        {mayWrite ? (
          store && <Typed store={store} letter={letter} />
        ) : (
          <OnLead letter={letter} subject={letter?.subject ?? ''} body={letter?.body ?? ''} />
        )}
      </section>
    </div>
  )
}

const INPUTS = {
  body: ({ id, value, onChange, onBlur, error }: FieldInputProps) => (
    <div id={id} tabIndex={-1}>
      <RichText
        label="Letter (Required)"
        required
        value={toText(value)}
        onChange={onChange}
        error={error}
        {...(onBlur ? { onBlur } : {})}
      />
    </div>
  ),
}

/** Context that shares the form's values with the preview. */
const Lending = createContext<(store: ValueStore) => void>(() => undefined)

function Lend({ store }: { readonly store: ValueStore }) {
  const lend = use(Lending)
  useEffect(() => lend(store), [lend, store])
  return <FieldsOfLeads />
}

const FieldsOfLeads = () => (
  <Text size="sm" c="dimmed">
    Fields: {Object.keys(MAIL_MERGE_FIELDS.lead).join(', ')}. Write fields as {'{{first name}}'}, or{' '}
    {'{{first name|there}}'} to set a default value. A letter with missing values is not printed.
  </Text>
)

function Typed({ store, letter }: { readonly store: ValueStore; readonly letter: Letter | undefined }) {
  const { subject, body } = useDebouncedValues(store)
  const isSaved = letter?.subject === subject && letter?.body === body
  return <OnLead letter={isSaved ? letter : undefined} subject={toText(subject)} body={toText(body)} />
}

interface OnLeadProps {
  /** The saved letter if its text has not been edited; otherwise `undefined`. */
  readonly letter: Letter | undefined
  readonly subject: string
  readonly body: string
}

function OnLead({ letter, subject, body }: OnLeadProps) {
  const [lead, setLead] = useState<string | null>(null)
  const seen = useLetterPreview(lead, { subject, body })
  const id = lead?.split('/').at(-1)
  return (
    <Stack gap="sm">
      <RemoteSelect
        target={contact}
        label="Preview for"
        placeholder="Choose a lead"
        params={{ retired: false }}
        value={lead}
        onChange={setLead}
      />
      {seen.isError && (
        <Alert color="red" role="alert">
          {errorSentence(seen.error).replace(/^(?:Body|Subject): /, '')}
        </Alert>
      )}
      {lead && seen.data && !seen.isError && <LetterSheet of={seen.data} />}
      {lead && letter && (
        <Button
          variant="default"
          style={{ alignSelf: 'start' }}
          onClick={() =>
            void openPdf(`${letter['@id']}/preview.pdf?contact=${id}`).catch((e: unknown) => toast.failed(e))
          }
        >
          Preview the PDF
        </Button>
      )}
      {letter && letter.printed > 0 && (
        <Text size="sm">
          <Anchor component={Link} to={`/letters/assigned/${letter.id}`} inherit>
            Printed copies
          </Anchor>
        </Text>
      )}
    </Stack>
  )
}
