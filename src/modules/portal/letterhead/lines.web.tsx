import { Button, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFileText } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { ApiError } from '#web/api/client.ts'
import { fetchFile } from '#web/api/file.ts'
import { openPdf } from '#web/api/pdf.ts'
import { useSaveRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from './letterhead.module.css'
import { letterhead } from './letterhead.ts'

const PAUSE_MS = 500
const LINE_NAMES = ['header', 'footer'] as const
type Name = (typeof LINE_NAMES)[number]

interface Props {
  readonly head: RecordOf<typeof letterhead> | undefined
}

/** The company's header and footer lines, with a live sample page. */
export function LetterheadLines({ head }: Props) {
  const save = useSaveRecord(letterhead)
  const stored = { header: head?.header ?? '', footer: head?.footer ?? '' }
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const lines = { ...stored, ...typed }
  const dirty = LINE_NAMES.some((name) => lines[name] !== stored[name])
  const guard = useUnsavedChangesGuard(dirty && !save.isPending)
  const found = save.error instanceof ApiError ? save.error.violations : []
  const wrong = (name: Name) => found.find((v) => v.propertyPath === name)?.message
  const submit = () =>
    save.mutate(
      {
        ...(head ? { id: head.id } : {}),
        values: { header: lines.header.trim() || null, footer: lines.footer.trim() || null },
      },
      {
        onSuccess: () => {
          setTyped({})
          toast.saved('header and footer')
        },
        onError: (e) => toast.failed(e),
      },
    )
  return (
    <section className={page.card} aria-labelledby="letterhead-lines">
      <h2 id="letterhead-lines">Header and footer</h2>
      <div className={css.lines}>
        <form
          noValidate
          aria-labelledby="letterhead-lines"
          onSubmit={(e) => {
            e.preventDefault()
            submit()
          }}
        >
          <Text>
            The company, number, revision, status, approval and page number are printed on every page, with your own
            lines below them. If you leave a line empty, your provider’s line is printed, if there is one.
          </Text>
          {LINE_NAMES.map((name) => (
            <TextInput
              key={name}
              label={letterhead.fields[name].label}
              description={letterhead.fields[name].help}
              value={lines[name]}
              maxLength={letterhead.fields[name].max}
              onChange={(e) => setTyped((all) => ({ ...all, [name]: e.target.value }))}
              error={wrong(name)}
            />
          ))}
          <Button type="submit" loading={save.isPending} disabled={!dirty}>
            Save header and footer
          </Button>
          {head?.lastEditBy && (
            <p className={page.quiet}>
              Letterhead changed by <PersonName username={head.lastEditBy} />, {formatIsoAsUkDateTime(head.updatedAt)}
            </p>
          )}
        </form>
        <Sample header={lines.header} footer={lines.footer} of={`${head?.updatedAt}`} />
      </div>
      {guard}
    </section>
  )
}

interface SampleProps extends Readonly<Record<Name, string>> {
  /** Version of the saved letterhead. When the version changes, the sample is rendered again. */
  readonly of: string
}

/** Sample page, rendered by the server shortly after each change. */
function Sample({ header, footer, of }: SampleProps) {
  const asked = new URLSearchParams({ header: header.trim(), footer: footer.trim() }).toString()
  const [settled] = useDebouncedValue(asked, PAUSE_MS)
  const drawn = useQuery({
    queryKey: ['sample page', of, settled],
    queryFn: async ({ signal }) => {
      const { bytes } = await fetchFile(`${letterhead.url}/sample.svg?${settled}`, { signal })
      return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await bytes.text())}`
    },
    placeholderData: keepPreviousData,
    meta: { persist: false },
  })
  return (
    <figure className={css.sample} aria-busy={drawn.isFetching || asked !== settled}>
      <div className={css.sheet}>
        {drawn.data && <img src={drawn.data} alt="Sample page of your documents" />}
        {drawn.isError && (
          <Text p="md" role="alert">
            The sample page could not be loaded. Please try again.
          </Text>
        )}
      </div>
      <Button
        variant="default"
        leftSection={<IconFileText size={16} aria-hidden />}
        onClick={() => void openPdf(`${letterhead.url}/sample.pdf?${asked}`).catch((e: unknown) => toast.failed(e))}
      >
        Open the sample page as a PDF
      </Button>
    </figure>
  )
}
