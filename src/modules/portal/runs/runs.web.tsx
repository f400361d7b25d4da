import { PersonName } from '#web/ui/people/person-name.tsx'
import '@mantine/core/styles/Progress.layer.css'
import { Button, Progress } from '@mantine/core'
import { IconDownload, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { useMe } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import {
  type BatchJobRejection,
  loadBatchJobRejections,
  requestJobResume,
  requestJobStop,
} from '#web/lists/extras/runs.ts'
import { PagedRows } from '#web/lists/paged-rows.tsx'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { batchJob, JOB_STATES } from './run.ts'
import css from './runs.module.css'

type Row = RecordOf<typeof batchJob>

const SIZE = 20
const LOOK_MS = 2000

const MEANINGS: Readonly<Record<string, ColourMeaning>> = {
  done: 'safe',
  failed: 'stop',
  running: 'info',
  undoing: 'info',
}
const UNDERWAY: readonly (string | null)[] = ['queued', 'running', 'stopping', 'undoing']

/**
 * Page with the user's background jobs, latest first. Shows progress and results, with buttons to stop and resume jobs.
 */
export default function JobsPage() {
  const [page, setPage] = useState(1)
  const [watched, setWatched] = useState(true)
  const list = useList(batchJob, { page, itemsPerPage: SIZE }, { refetchInterval: watched ? LOOK_MS : false })
  const open = list.data === undefined || list.data['hydra:member'].some((row) => UNDERWAY.includes(row.state))
  if (open !== watched) setWatched(open)
  return (
    <Page
      title="Background jobs"
      about="Longer tasks, such as imports, bulk changes, exports of long lists and packs of many documents. Jobs continue while you do something else or close the portal."
    >
      <PagedRows
        list={list}
        page={page}
        size={SIZE}
        onPage={setPage}
        empty={<EmptyState title="No background jobs yet">A job is listed here as soon as it starts.</EmptyState>}
      >
        {(rows) => (
          <ul className={css.runs} aria-label="Background jobs">
            {rows.map((row) => (
              <One key={row.id} row={row} onChanged={() => void list.refetch()} />
            ))}
          </ul>
        )}
      </PagedRows>
    </Page>
  )
}

interface Props {
  readonly row: Row
  readonly onChanged: () => void
}

const figure = (n: number) => n.toLocaleString('en-GB')

function One({ row, onChanged }: Props) {
  const me = useMe()
  const { title, state, done, total, refused, error, author, createdAt } = row
  const file = fileOf(row)
  const underway = UNDERWAY.includes(state)
  const act = (doing: (of: { readonly '@id': string }) => Promise<unknown>) =>
    void doing(row).then(onChanged, (e: unknown) => toast.failed(e))
  return (
    <li className={css.run}>
      <div className={css.what}>
        <strong>{file?.name ?? title}</strong>
        <StatusChip meaning={MEANINGS[state ?? ''] ?? 'plain'}>
          {JOB_STATES.find((s) => s.value === state)?.label ?? ''}
        </StatusChip>
      </div>
      <p className={css.about}>
        {title}
        {author && author !== me.username && (
          <>
            , started by <PersonName username={author} />
          </>
        )}
        {', '}
        <DateTimeText at={createdAt ?? ''} />
        {total !== null && ` · ${figure(done ?? 0)} of ${figure(total)}`}
        {total === null && (done ?? 0) > 0 && ` · ${figure(done ?? 0)}`}
      </p>
      {underway && total !== null && total > 0 && (
        <Progress value={Math.min(100, ((done ?? 0) / total) * 100)} aria-label="Progress" />
      )}
      {error && <p className={css.about}>{error}</p>}
      {(refused ?? 0) > 0 && <Refused row={row} count={refused ?? 0} />}
      <div className={css.buttons}>
        {(state === 'queued' || state === 'running') && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            aria-label={`Stop ${title}`}
            onClick={() => act(requestJobStop)}
          >
            Stop
          </Button>
        )}
        {(state === 'stopped' || state === 'failed') && (
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            aria-label={`Resume ${title}`}
            onClick={() => act(requestJobResume)}
          >
            Resume
          </Button>
        )}
        {file && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            aria-label={`Download ${file.name}`}
            onClick={() => void downloadFile(file['@id'], file.name).catch((e: unknown) => toast.failed(e))}
          >
            Download
          </Button>
        )}
      </div>
    </li>
  )
}

interface RunFile {
  readonly '@id': string
  readonly name: string
  readonly until: string
}

/** Returns a job's result file, if the file is still retained. */
function fileOf({ file }: Row): RunFile | undefined {
  const made = file as RunFile | null
  return made && Temporal.Instant.compare(Temporal.Instant.from(made.until), Temporal.Now.instant()) > 0
    ? made
    : undefined
}

function Refused({ row, count }: { readonly row: Row; readonly count: number }) {
  const [told, setTold] = useState<readonly BatchJobRejection[]>()
  const ask = () => void loadBatchJobRejections(row).then(setTold, (e: unknown) => toast.failed(e))
  if (!told)
    return (
      <Button variant="subtle" onClick={ask} className={css.refused ?? ''}>
        {`${figure(count)} refused: show reasons`}
      </Button>
    )
  return (
    <ul className={css.refusals} aria-label="Refused">
      {told.map(({ line, about, reason }) => (
        <li key={`${line} ${about}`}>
          <strong>{about || `No. ${line}`}</strong> {reason}
        </li>
      ))}
      {count > told.length && <li>{`And ${figure(count - told.length)} more.`}</li>}
    </ul>
  )
}
