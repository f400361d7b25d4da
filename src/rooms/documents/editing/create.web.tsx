import { Alert, Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import { iriOf } from '#kernel/resource.ts'
import { call } from '#web/api/client.ts'
import { idempotencyKeys } from '#web/api/idempotency.ts'
import { backTo } from '#web/lists/place/places.ts'
import { Page } from '#web/ui/page.tsx'
import { sentence } from '#web/ui/say.ts'
import { OfflineNotice } from '#web/ui/states.tsx'
import { useUnsaved } from '#web/ui/unsaved.tsx'
import type { ScreenProps } from '../kinds/kind.web.ts'
import { type DocumentRecord, modelAt, titleOf, useRecord, useRefresh } from '../kinds/record.web.ts'
import { RecordPaper } from '../printing/record-paper.web.tsx'
import css from './create.module.css'
import { type Source, SourceList } from './source-list.web.tsx'

type From = 'blank' | Source

/**
 * Begins a document: blank, from a template or as a copy. It is saved when it has a title and somebody says so, never by merely
 * looking at this page; from then on the editor saves by itself.
 */
export default function Create({ parts }: ScreenProps) {
  const { kind } = parts
  const { slug } = useParams()
  const { pathname } = useLocation()
  const [search, setSearch] = useSearchParams()
  const given: From = pathname.includes('/from-template/') ? 'template' : pathname.includes('/copy/') ? 'copy' : 'blank'
  const asked = search.get('from')
  const from: From = slug ? given : asked === 'template' || asked === 'copy' ? asked : 'blank'
  const [chosen, setChosen] = useState(slug)
  const source = useRecord(kind, from === 'blank' ? undefined : chosen)
  const [title, setTitle] = useState<string>()
  const begin = useBegin(parts)
  const words = title ?? (from === 'template' && source.record ? titleOf(kind, source.record) : '')
  const [wrong, setWrong] = useState<string>()
  const guard = useUnsaved(title !== undefined && title !== '' && begin.isIdle)
  const navigate = useNavigate()
  const submit = () => {
    if (!words.trim()) return setWrong(kind.title.required)
    if (from !== 'blank' && !chosen)
      return setWrong(
        from === 'template' ? 'Please choose a template below' : `Please choose the ${kind.noun} to copy below`,
      )
    setWrong(undefined)
    begin.mutate({ title: words.trim(), ...(from === 'blank' ? {} : { copied: chosen as string }) })
  }
  return (
    <Page title={`New ${kind.noun}`}>
      <OfflineNotice>You are offline. What you typed stays here; begin when the connection is back.</OfflineNotice>
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
            description="In a few words. It is the title, and can be changed later."
            maxLength={500}
            autoFocus
            value={words}
            onChange={(e) => setTitle(e.currentTarget.value)}
            error={wrong}
          />
          <SegmentedControl
            aria-label="Begin with"
            fullWidth
            value={from}
            onChange={(next) => {
              setChosen(undefined)
              if (slug)
                void navigate(`${pathname.replace(/\/[^/]+\/[^/]+$/, '/create')}?from=${next}`, { replace: true })
              else setSearch(next === 'blank' ? {} : { from: next }, { replace: true })
            }}
            data={[
              { value: 'template', label: 'Template' },
              { value: 'copy', label: 'Copy of ours' },
              { value: 'blank', label: 'Blank' },
            ]}
          />
          {from !== 'blank' && <SourceList kind={kind} from={from} chosen={chosen} onChoose={setChosen} />}
          {begin.isError && (
            <Alert role="alert" color="red" title={`The ${kind.noun} has not been begun`}>
              {sentence(begin.error)}
            </Alert>
          )}
          <div className={css.buttons}>
            <Button type="submit" loading={begin.isPending}>
              Start writing
            </Button>
            <Button variant="default" onClick={() => void navigate(backTo(kind.screens.list))}>
              Cancel
            </Button>
          </div>
        </form>
        {from !== 'blank' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
          <section aria-label="What you begin with" className={css.preview} tabIndex={0}>
            {source.record ? (
              <RecordPaper parts={parts} record={source.record} />
            ) : (
              <Stack align="center" p="xl">
                <Text c="dimmed">{source.isError ? sentence(source.error) : 'Choose one to look at it here.'}</Text>
              </Stack>
            )}
          </section>
        )}
      </div>
      {guard}
    </Page>
  )
}

const labelOfTitle = ({ kind }: ScreenProps['parts']) =>
  fieldsIn(kind.schema).find((f) => f.name === kind.title.field)?.label ?? kind.title.label

/** Saves the first draft and opens it. */
function useBegin({ kind }: ScreenProps['parts']) {
  const navigate = useNavigate()
  const refresh = useRefresh(kind)
  const keys = useMemo(() => idempotencyKeys(), [])
  return useMutation({
    mutationFn: async ({ title, copied }: { title: string; copied?: string }) => {
      const model = await modelAt(copied ? `${iriOf(kind.resource, copied)}/copy` : `${kind.resource.url}/create_new`)
      const body = { ...model, [kind.title.field]: title }
      return call<DocumentRecord>('POST', kind.resource.url, body, { idempotencyKey: keys.keyFor(body) })
    },
    onSuccess: (made) => {
      void refresh(made)
      return navigate(`${kind.screens.update}/${made.id}`, { replace: true })
    },
  })
}
