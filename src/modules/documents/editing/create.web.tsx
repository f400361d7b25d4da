import { Alert, Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { Page } from '#web/ui/page.tsx'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { StoredDocumentSheet } from '../printing/record-paper.web.tsx'
import type { DocumentScreenProps } from '../types/kind.web.ts'
import {
  type DocumentRecord,
  documentTitleOrUntitled,
  loadDocumentPrefill,
  useDocumentRecord,
  useRefetchDocument,
} from '../types/record.web.ts'
import css from './create.module.css'
import {
  type DocumentStartOption,
  documentStartOptions,
  SourceDocumentPicker,
  useDocumentStartOption,
  useSourceTypeComponents,
} from './source-list.web.tsx'

/**
 * Page to start a document: blank, from a template, as a copy, or from a record of another type. Opening the page saves
 * nothing. The draft is first saved when the user has entered a title and clicks the button; after that, the editor
 * saves automatically.
 */
export default function NewDocumentPage({ parts }: DocumentScreenProps) {
  const { kind } = parts
  const { slug } = useParams()
  const { pathname } = useLocation()
  const [, setSearch] = useSearchParams()
  const { start, chosen: given } = useDocumentStartOption(kind)
  const [chosen, setChosen] = useState(given)
  const starts = documentStartOptions(kind)
  const phone = useIsPhone()
  const from = useSourceTypeComponents(parts, start)
  const source = useDocumentRecord(start.of ?? kind, start.of ? chosen : undefined)
  const [title, setTitle] = useState<string>()
  const begin = useBegin(parts)
  const words =
    title ??
    (start.of && start.name !== 'copy' && source.record ? documentTitleOrUntitled(start.of, source.record) : '')
  const [wrong, setWrong] = useState<string>()
  const guard = useUnsavedChangesGuard(title !== undefined && title !== '' && begin.isIdle)
  const navigate = useNavigate()
  const submit = () => {
    if (!words.trim()) return setWrong(kind.title.required)
    if (start.of && !chosen) return setWrong(unchosen(start))
    setWrong(undefined)
    begin.mutate({ title: words.trim(), model: start.model(kind, chosen ?? '') })
  }
  return (
    <Page title={`New ${kind.noun}`}>
      <OfflineNotice>
        You are offline. What you have typed stays on this page. Start the document when the connection is back.
      </OfflineNotice>
      <div className={css.halves}>
        <form
          noValidate
          className={css.form}
          onSubmit={(e) => {
            e.preventDefault()
            submit()
          }}
        >
          <TextInput
            label={`${labelOfTitle(parts)} (Required)`}
            description="A short title. You can change it later."
            maxLength={500}
            autoFocus
            value={words}
            onChange={(e) => setTitle(e.currentTarget.value)}
            error={wrong}
          />
          <SegmentedControl
            aria-label="Start with"
            fullWidth
            orientation={starts.length > (phone ? 3 : 4) ? 'vertical' : 'horizontal'}
            value={start.name}
            onChange={(next) => {
              setChosen(undefined)
              if (slug)
                void navigate(`${pathname.replace(/\/[^/]+\/[^/]+$/, '/create')}?from=${next}`, { replace: true })
              else setSearch(next === 'blank' ? {} : { from: next }, { replace: true })
            }}
            data={starts.map(({ name, label }) => ({ value: name, label }))}
          />
          {start.of && (
            <SourceDocumentPicker key={start.name} kind={start.of} from={start} chosen={chosen} onChoose={setChosen} />
          )}
          {begin.isError && (
            <Alert role="alert" color="red" title={`The ${kind.noun} has not been started`}>
              {errorSentence(begin.error)}
            </Alert>
          )}
          <div className={css.buttons}>
            <Button type="submit" loading={begin.isPending}>
              Start
            </Button>
            <Button variant="default" onClick={() => void navigate(getListReturnPath(kind.screens.list))}>
              Cancel
            </Button>
          </div>
        </form>
        {start.of && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
          <section aria-label="Starting point" className={css.preview} tabIndex={0}>
            {source.record && from ? (
              <StoredDocumentSheet parts={from} record={source.record} />
            ) : (
              <Stack align="center" p="xl">
                <Text c="dimmed">
                  {source.isError ? errorSentence(source.error) : 'Choose a starting point to preview it here.'}
                </Text>
              </Stack>
            )}
          </section>
        )}
      </div>
      {guard}
    </Page>
  )
}

const unchosen = ({ name, of }: DocumentStartOption) =>
  name === 'template'
    ? 'Please choose a template below'
    : `Please choose the ${of?.noun ?? 'document'} to ${name === 'copy' ? 'copy' : 'start from'} below`

const labelOfTitle = ({ kind }: DocumentScreenProps['parts']) =>
  formFieldsIn(kind.schema).find((f) => f.name === kind.title.field)?.label ?? kind.title.label

function useBegin({ kind }: DocumentScreenProps['parts']) {
  const navigate = useNavigate()
  const refresh = useRefetchDocument(kind)
  const keys = useMemo(() => createIdempotencyKeys(), [])
  return useMutation({
    mutationFn: async ({ title, model }: { title: string; model: string }) => {
      const body = { ...(await loadDocumentPrefill(model)), [kind.title.field]: title }
      return callApi<DocumentRecord>('POST', kind.resource.url, body, { idempotencyKey: keys.keyFor(body) })
    },
    onSuccess: (made) => {
      void refresh(made)
      return navigate(`${kind.screens.update}/${made.id}`, { replace: true })
    },
  })
}
