import { Alert, Anchor, Text } from '@mantine/core'
import { createContext, use, useEffect, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { replaceMergeFields } from '#kernel/text/merge-fields.ts'
import { toText } from '#kernel/text.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { RichText } from '#web/forms/inputs/rich-text.tsx'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useDebouncedValues } from '#web/forms/store/use-value-store.ts'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { contractTemplate, contractTemplateVersion } from './contract-template.ts'
import css from './contracts.module.css'
import { CONTRACT_MERGE_FIELDS, contractTextError, SAMPLE_MERGE_VALUES } from './merge-fields.ts'
import { CONTRACT_PATHS } from './nav.ts'

type Template = RecordOf<typeof contractTemplate>

const BACK = { label: 'Contract templates', to: CONTRACT_PATHS.templates }

/** Editor of a template with a preview, and its versions. */
export default function ContractTemplateEditor() {
  const { id } = useParams()
  const one = useApiRecord(contractTemplate, id)
  const isNew = id === undefined
  return (
    <Page title={isNew ? 'New template' : (one.data?.name ?? 'Contract template')} back={BACK}>
      {!isNew && one.isPending && <LoadingRows rows={8} />}
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {(isNew || one.data) && <Editor key={one.data?.id ?? 'new'} template={one.data} />}
      {one.data && <Versions template={one.data} />}
    </Page>
  )
}

/** Context that shares the form's values with the preview. */
const StoreContext = createContext<(store: ValueStore) => void>(() => undefined)

function Editor({ template }: { readonly template: Template | undefined }) {
  const navigate = useNavigate()
  const [store, setStore] = useState<ValueStore>()
  return (
    <div className={css.columns}>
      <section className={layout.card} aria-label="Template">
        <StoreContext value={setStore}>
          <ResourceForm
            resource={contractTemplate}
            fields={['name', 'writtenStatement', 'body', ...(template ? (['retired'] as const) : [])]}
            wide={['name', 'body']}
            inputs={INPUTS}
            {...(template ? { record: template } : { keep: 'new contract template' })}
            Above={MergeFieldList}
            action="Save template"
            onCancel={() => void navigate(CONTRACT_PATHS.templates)}
            onSaved={() => void navigate(CONTRACT_PATHS.templates)}
          />
        </StoreContext>
      </section>
      <section className={layout.card} aria-labelledby="preview">
        <h2 id="preview">Preview</h2>
        <Text size="sm">With the details of an invented employee.</Text>
        {store && <Preview store={store} />}
      </section>
    </div>
  )
}

const INPUTS = {
  body: ({ id, value, onChange, onBlur, error }: FieldInputProps) => (
    <div id={id} tabIndex={-1}>
      <RichText
        label="Text (Required)"
        required
        value={toText(value)}
        onChange={onChange}
        error={error}
        {...(onBlur ? { onBlur } : {})}
      />
    </div>
  ),
}

function MergeFieldList({ store }: { readonly store: ValueStore }) {
  const share = use(StoreContext)
  useEffect(() => share(store), [share, store])
  return (
    <div>
      <Text size="sm">
        Fields are filled in when the contract is sent. Write them between double braces; {'{{manager|your manager}}'}{' '}
        sets a default value.
      </Text>
      <ul className={css.fields} aria-label="Fields">
        {Object.entries(CONTRACT_MERGE_FIELDS).map(([name, label]) => (
          <li key={name}>
            <code title={label}>{`{{${name}}}`}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Preview({ store }: { readonly store: ValueStore }) {
  const body = toText(useDebouncedValues(store).body)
  const wrong = contractTextError(body)
  if (wrong) return <Alert color="red">{wrong}.</Alert>
  const { words } = replaceMergeFields(body, SAMPLE_MERGE_VALUES, { html: true })
  return (
    <div className={css.sheet}>
      <RichTextView html={words} />
    </div>
  )
}

/** Versions of a template, latest first. */
function Versions({ template }: { readonly template: Template }) {
  const found = useList(contractTemplateVersion, { template: iriOf(contractTemplate, template.id), itemsPerPage: 20 })
  const rows = found.data?.['hydra:member'] ?? []
  const [open, setOpen] = useState<number>()
  const version = useApiRecord(contractTemplateVersion, open === undefined ? undefined : String(open))
  if (!rows.length) return null
  return (
    <section className={layout.card} aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <Text size="sm">
        A contract stays as it was sent, whatever version follows.{' '}
        <Anchor component={Link} to={`${CONTRACT_PATHS.list}?template=${template.id}`}>
          Contracts of this template
        </Anchor>
      </Text>
      <ul>
        {rows.map(({ id, version: number, author, createdAt }) => (
          <li key={id}>
            <Anchor
              component="button"
              type="button"
              onClick={() => setOpen(open === id ? undefined : id)}
              aria-expanded={open === id}
            >
              {`Version ${number}`}
            </Anchor>
            {` saved on ${formatIsoAsUkDateTime(createdAt)} by ${author ?? 'the portal'}`}
            {open === id && version.data && (
              <div className={css.sheet}>
                <RichTextView html={version.data.body} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
