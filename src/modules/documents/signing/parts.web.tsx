import { Button, Skeleton, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconCircleCheck, IconFile, IconFileTypePdf } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { idFromAnyIri } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { saveToDisk } from '#web/api/file.ts'
import { openPdf } from '#web/api/pdf.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { fetchOrReadFile, fileQueryOptions, useFileUrl } from '#web/uploads/fetch.ts'
import { type RecordForm, recordValuesByForm } from '../forms/record-form.ts'
import { useComponentsWithForm } from '../forms/record-form.web.ts'
import { useDocumentTypeComponents } from '../forms/type-parts.web.ts'
import { DocumentSheet, SharedDocumentSheet } from '../printing/paper.web.tsx'
import { document } from '../types/document.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import type { DocumentPart } from './hand-words.ts'
import css from './parts.module.css'
import { measureCoveredSeconds, type Progresses, useDocumentParts, useReadProgress } from './read-progress.web.ts'

const PARTS_SECTION_ID = 'document-parts'

const KeepOnDevice = lazyComponent(() => import('#web/offline/screens/keep-on-device.tsx'), 'silent')

/** Time in milliseconds for which the end of a part is on the screen before the part counts as read. */
const END_SHOWN_MS = 400
const SECOND_MS = 1000

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  /** IRIs of the parts that are open. */
  readonly open: ReadonlySet<string>
  readonly onOpen: (iris: ReadonlySet<string>) => void
}

/** Everything to which a document refers, opened in place and read to its end before signing. */
export function DocumentParts({ parts, record, open, onOpen }: Props) {
  const { has, all, error, refetch } = useDocumentParts(parts.kind, record)
  const { progress, add } = useReadProgress(record)
  const source = useMemo(
    (): PartSource => ({
      part: (id) => `${iriOf(document, record.id)}/parts/${id}`,
      file: (iri) => `${iri}/file`,
      ask: 'your supervisor',
    }),
    [record.id],
  )
  const storable = useMemo(
    () =>
      (all ?? []).flatMap(({ '@id': iri, name, kind, readable }) =>
        readable
          ? { name, query: kind === null ? fileQueryOptions(source.file(iri)) : partQueryOptions(partUrl(source, iri)) }
          : [],
      ),
    [all, source],
  )
  if (!has) return null
  return (
    <PartList {...{ parts, source, all, error, progress, open, onOpen }} onRead={add} onRetry={() => void refetch()}>
      <Suspense>
        <KeepOnDevice items={storable} noun={parts.kind.shared ? 'pack' : 'document'} />
      </Suspense>
    </PartList>
  )
}

/** Where the reader gets the parts of a document. */
export interface PartSource {
  /** Returns the URL of a document, by its ID. */
  readonly part: (id: number) => string
  /** Returns the URL of a file's content, by its IRI. */
  readonly file: (iri: string) => string
  /** Person or company that tells the reader which revision applies. */
  readonly ask: string
  /** Company that shares the document with a reader without an account. */
  readonly company?: string
}

const partUrl = (source: PartSource, iri: string): string => source.part(idFromAnyIri(iri) ?? 0)

const partQueryOptions = (url: string) => ({
  queryKey: [document.url, 'part', url] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => callApi<LoadedPart>('GET', url, undefined, { signal }),
})

interface PartListProps extends Pick<Props, 'parts' | 'open' | 'onOpen'> {
  readonly source: PartSource
  /** Undefined until the parts are known. */
  readonly all: readonly DocumentPart[] | undefined
  readonly error: Error | null
  readonly progress: Progresses
  readonly onRead: (iri: string, more: Parameters<OnRead>[0]) => void
  readonly onRetry: () => void
  /** Content beneath the buttons. */
  readonly children?: ReactNode
}

/** List of a document's parts with how far each was read. */
export function PartList({
  parts,
  source,
  all,
  error,
  progress,
  open,
  onOpen,
  onRead,
  onRetry,
  children,
}: PartListProps) {
  const readable = (all ?? []).filter((part) => part.readable)
  const done = readable.filter((part) => progress[part['@id']]?.ended || part.signedAt).length
  const whole = parts.kind.shared ? 'Open the whole pack' : 'Open all documents'
  return (
    <section className={page.card} aria-labelledby={PARTS_SECTION_ID}>
      <h2 id={PARTS_SECTION_ID} tabIndex={-1}>
        {parts.kind.shared ? 'Documents in this pack' : 'Documents to read with this one'}
      </h2>
      {all === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={onRetry} />
        ) : (
          <LoadingRows rows={3} />
        )
      ) : (
        <>
          <p className={page.quiet} role="status">{`${done} of ${readable.length} read to the end`}</p>
          {readable.some((part) => !open.has(part['@id'])) && (
            <div className={page.buttons}>
              <Button
                variant={done < readable.length ? 'filled' : 'default'}
                onClick={() => onOpen(new Set(readable.map((part) => part['@id'])))}
              >
                {whole}
              </Button>
            </div>
          )}
          {children}
          <ol className={css.parts}>
            {all.map((part) => (
              <PartItem
                key={part['@id']}
                parts={parts}
                source={source}
                part={part}
                read={Boolean(progress[part['@id']]?.ended)}
                isOpen={open.has(part['@id'])}
                onToggle={() => {
                  const next = new Set(open)
                  if (!next.delete(part['@id'])) next.add(part['@id'])
                  onOpen(next)
                }}
                onRead={(more) => onRead(part['@id'], more)}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

interface PartItemProps {
  readonly parts: DocumentTypeComponents
  readonly source: PartSource
  readonly part: DocumentPart
  readonly read: boolean
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly onRead: (more: { readonly seconds?: number; readonly ended?: boolean }) => void
}

/** Returns the ID of a part's heading, which is focused when the part is opened from elsewhere. */
export const partHeadingId = (iri: string): string => `part-${iri.replaceAll('/', '-')}`

function PartItem({ parts, source, part, read, isOpen, onToggle, onRead }: PartItemProps) {
  const { '@id': iri, name, title, replaced, readable, signedAt, kind } = part
  const Arrow = isOpen ? IconChevronDown : IconChevronRight
  return (
    <li className={css.part}>
      <h3 className={css.head}>
        {readable ? (
          <UnstyledButton id={partHeadingId(iri)} className={css.toggle} aria-expanded={isOpen} onClick={onToggle}>
            <Arrow size={18} aria-hidden />
            <span className={css.name}>
              <strong>{name}</strong>
              {title && title !== name && <span>{title}</span>}
            </span>
          </UnstyledButton>
        ) : (
          <span className={css.toggle}>
            <IconFile size={18} aria-hidden />
            <span className={css.name}>
              <strong>{name}</strong>
              <span>You can’t open this {kind === null ? 'file' : 'document'}.</span>
            </span>
          </span>
        )}
        {readable &&
          (read ? (
            <StatusChip meaning="safe" icon={IconCircleCheck}>
              Read to the end
            </StatusChip>
          ) : signedAt ? (
            <StatusChip meaning="safe">{`Signed on ${formatIsoAsUkDate(signedAt.slice(0, 10))}`}</StatusChip>
          ) : (
            <StatusChip meaning="attention">Not read yet</StatusChip>
          ))}
      </h3>
      {replaced && <p className={page.quiet}>A newer revision is in force. Ask {source.ask} which one applies here.</p>}
      {isOpen &&
        readable &&
        (kind === null ? (
          <FilePart part={part} url={source.file(iri)} onRead={onRead} />
        ) : (
          <DocumentPartSheet parts={parts} source={source} part={part} onRead={onRead} />
        ))}
    </li>
  )
}

type OnRead = PartItemProps['onRead']

/** Reports each second for which this page is visible and `isShown` returns true. */
export function useVisibleSeconds(isShown: () => boolean, onRead: OnRead) {
  const report = useEffectEvent(() => {
    if (isShown() && globalThis.document.visibilityState === 'visible') onRead({ seconds: 1 })
  })
  useEffect(() => {
    const timer = setInterval(() => report(), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
}

/** Reports each second for which an element is on the screen. */
function useSecondsOnScreen(shown: RefObject<HTMLElement | null>, isLoaded: boolean, onRead: OnRead) {
  const isVisible = useRef(false)
  useVisibleSeconds(() => isVisible.current, onRead)
  useEffect(() => {
    const element = shown.current
    if (!element || !isLoaded) return undefined
    const watched = new IntersectionObserver(([seen]) => {
      isVisible.current = Boolean(seen?.isIntersecting)
    })
    watched.observe(element)
    return () => {
      watched.disconnect()
      isVisible.current = false
    }
  }, [shown, isLoaded])
}

/** Last line of a part. The part counts as read once this line has been on the screen. */
export function PartEnd({ children, onRead }: { readonly children: ReactNode; readonly onRead: OnRead }) {
  const line = useRef<HTMLParagraphElement>(null)
  const report = useEffectEvent(onRead)
  useEffect(() => {
    if (!line.current) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const watched = new IntersectionObserver(([seen]) => {
      clearTimeout(timer)
      if (seen?.isIntersecting) timer = setTimeout(() => report({ ended: true }), END_SHOWN_MS)
    })
    watched.observe(line.current)
    return () => {
      watched.disconnect()
      clearTimeout(timer)
    }
  }, [])
  return (
    <p ref={line} className={css.end}>
      {children}
    </p>
  )
}

interface SheetProps {
  readonly parts: DocumentTypeComponents
  readonly source: PartSource
  readonly part: Pick<DocumentPart, '@id' | 'name' | 'kind'>
  readonly onRead: OnRead
}

/** A document in the format in which the server sends a part, with its form. */
export interface LoadedPart {
  readonly record: DocumentRecord
  readonly form: RecordForm
}

/** A part's whole content, as on its own page. */
export function DocumentPartSheet({ parts, source, part, onRead }: SheetProps) {
  const { '@id': iri, name, kind } = part
  const found = useQuery(partQueryOptions(partUrl(source, iri)))
  const of = useDocumentTypeComponents(parts, kind ?? undefined)
  // The end of a document may only be shown below its content.
  const body = useQuery({
    queryKey: ['body of documents', of?.kind.kind],
    queryFn: async () => (await of?.body?.()) !== undefined,
    enabled: of !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    meta: { persist: false },
  })
  const own = useComponentsWithForm(of ?? parts, found.data?.form)
  const answers = useMemo(() => found.data && recordValuesByForm(found.data.form, found.data.record), [found.data])
  const sheet = useRef<HTMLDivElement>(null)
  const isLoaded = Boolean(of && own && answers && body.isSuccess)
  useSecondsOnScreen(sheet, isLoaded, onRead)
  const error = found.error ?? body.error
  if (error)
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          void found.refetch()
          void body.refetch()
        }}
      />
    )
  if (!of || !own || !answers || !isLoaded) return <Skeleton height={320} />
  return (
    <div ref={sheet}>
      {source.company === undefined ? (
        <DocumentSheet parts={own} record={answers} usual={of.kind.schema} />
      ) : (
        <SharedDocumentSheet parts={own} record={answers} usual={of.kind.schema} company={source.company} />
      )}
      <PartEnd onRead={onRead}>{`End of ${name}`}</PartEnd>
    </div>
  )
}

interface FilePartProps {
  readonly part: DocumentPart
  readonly url: string
  readonly onRead: OnRead
}

/** A file: a picture is shown here, and any other file is opened in its own program. */
function FilePart(props: FilePartProps) {
  return props.part.type?.startsWith('image/') ? <Picture {...props} /> : <OtherFile {...props} />
}

function Picture({ part: { name, title }, url: path, onRead }: FilePartProps) {
  const { url, failed } = useFileUrl(path)
  const [isShown, setShown] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  useSecondsOnScreen(frame, isShown, onRead)
  if (failed) return <p role="alert">The picture could not be loaded. Close it and open it again.</p>
  return (
    <div ref={frame}>
      {url ? (
        <img className={css.picture} src={url} alt={title || name} onLoad={() => setShown(true)} />
      ) : (
        <Skeleton height={320} />
      )}
      {isShown && <PartEnd onRead={onRead}>{`End of ${name}`}</PartEnd>}
    </div>
  )
}

function OtherFile({ part: { name, type }, url, onRead }: FilePartProps) {
  const isPdf = type === 'application/pdf'
  const [isBusy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    try {
      measureCoveredSeconds((seconds) => onRead({ seconds }))
      if (isPdf) await openPdf(url, (path) => fetchOrReadFile(path, name))
      else saveToDisk((await fetchOrReadFile(url, name)).bytes, name)
      onRead({ ended: true })
    } catch (e) {
      toast.failed(e, () => void open())
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={page.buttons}>
      <Button
        variant="default"
        loading={isBusy}
        leftSection={isPdf ? <IconFileTypePdf size={16} aria-hidden /> : <IconFile size={16} aria-hidden />}
        onClick={() => void open()}
      >
        {`Open ${name}`}
      </Button>
    </div>
  )
}
