import {
  IconAlertTriangle,
  IconBook,
  IconCalendar,
  IconChecklist,
  IconCloudOff,
  IconListCheck,
  IconSchool,
  IconSignature,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { Me } from '#web/api/session.ts'
import type { QueuedRequest } from '#web/offline/requests.ts'
import { leaveTaskSite, needsPortal } from '#web/shell/navigation/task-site.ts'
import { ReadAloudButton } from '#web/ui/reading/read-aloud.tsx'
import { readTextSize, setTextSize, TEXT_SIZES, type TextSize } from '#web/ui/reading/text-size.ts'
import { useMyTasks } from './load-tasks.web.ts'
import type { MyLeave, MyTask, MyTasks } from './my-tasks.ts'
import { SignOutButton } from './sign-out.web.tsx'
import { TaskSection } from './task-list.web.tsx'
import css from './tasks.module.css'
import { useUnsent } from './unsent.web.ts'

/** My-Task: everything asked of an employee in one column, with the way to report something always in reach. */
export default function TaskSite() {
  const { loaded, reload } = useMyTasks()
  const me = loaded.state === 'loading' ? undefined : loaded.me
  const tasks = loaded.state === 'loaded' ? loaded.tasks : undefined
  return (
    <div className={css.page} data-task-site>
      <a className={css.skip} href="#main">
        Skip to content
      </a>
      <header className={css.bar}>
        <span className={css.name}>My-Task</span>
        <ReadAloudButton className={css.entry} />
        {me && needsPortal(me) && (
          <a className={css.entry} href="/dashboard" onClick={leaveTaskSite}>
            Portal
          </a>
        )}
      </header>
      <main id="main" className={css.main} tabIndex={-1}>
        <h1>{me ? `Hello ${me.name}` : 'My-Task'}</h1>
        {me?.isImpersonating && (
          <p className={css.note}>
            You are working as {me.name}. You can read their tasks here, and sign nothing for them.
          </p>
        )}
        {loaded.state === 'loading' && <Waiting />}
        {loaded.state === 'failed' && (
          <div role="alert" className={css.note}>
            <p>{loaded.message}</p>
            <button type="button" className={css.button} onClick={reload}>
              Try again
            </button>
          </div>
        )}
        {loaded.state === 'loaded' && <Tasks {...loaded} />}
        {me && <Settings me={me} />}
      </main>
      {tasks && <ReportBar report={tasks.report} />}
    </div>
  )
}

const Waiting = () => (
  <div className="starting" role="status" aria-label="Loading">
    <span />
    <span />
    <span />
  </div>
)

interface TasksProps {
  readonly me: Me
  readonly tasks: MyTasks
  readonly at: number | undefined
}

function Tasks({ me, tasks: { sign, read, forms, checklists = [], training = [], leave }, at }: TasksProps) {
  const waiting = useUnsent(me)
  const unsent = new Set(waiting.flatMap((request) => (request.refused ? [] : (request.at ?? []))))
  const refused = waiting.filter((request) => request.refused)
  return (
    <>
      {at !== undefined && (
        <p className={css.note} role="status">
          <IconCloudOff size={22} aria-hidden />
          {`No connection. These are your tasks as of ${new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}. What you sign, complete or report is stored on this device and sent when the connection is back.`}
        </p>
      )}
      {waiting.length > refused.length && (
        <p className={css.note} role="status">
          {`${waiting.length - refused.length} waiting to be sent from this device`}
        </p>
      )}
      {refused.length > 0 && (
        <p className={css.note} role="alert">
          {`${refused.length} not accepted: ${refused.map(({ what }) => what).join(', ')}. `}
          <a href={refused[0]?.at ?? '/dashboard'}>See why</a>
        </p>
      )}
      <TaskSection
        title="To sign"
        icon={<IconSignature size={24} aria-hidden />}
        tasks={sign}
        empty="Nothing to sign"
        unsent={unsent}
      />
      <TaskSection
        title="To read"
        icon={<IconBook size={24} aria-hidden />}
        tasks={read}
        empty="Nothing new to read"
        unsent={unsent}
      />
      <TaskSection
        title="Forms due"
        icon={<IconChecklist size={24} aria-hidden />}
        tasks={forms}
        empty="No forms due"
        unsent={unsent}
      />
      {checklists.length > 0 && (
        <TaskSection
          title="Starters and leavers"
          icon={<IconListCheck size={24} aria-hidden />}
          tasks={checklists}
          empty=""
          unsent={unsent}
        />
      )}
      {training.length > 0 && (
        <TaskSection
          title="My training"
          icon={<IconSchool size={24} aria-hidden />}
          tasks={training}
          empty=""
          unsent={unsent}
        />
      )}
      {leave && <LeaveSection leave={leave} unsent={unsent} queued={waiting} />}
    </>
  )
}

interface LeaveProps {
  readonly leave: MyLeave
  readonly unsent: ReadonlySet<string>
  readonly queued: readonly QueuedRequest[]
}

const LeaveSection = ({ leave, unsent, queued }: LeaveProps) => (
  <TaskSection
    title="My leave"
    icon={<IconCalendar size={24} aria-hidden />}
    tasks={[...queuedLeave(queued, leave.request), ...leave.requests]}
    empty="No leave requested"
    unsent={unsent}
  >
    {leave.left && <p>{`${leave.left} left until ${leave.year.until.split('-').reverse().join('/')}`}</p>}
    <div className={css.buttons}>
      {leave.request && (
        <a className={css.button} href={leave.request}>
          Request leave
        </a>
      )}
      <a className={css.button} href={leave.calendar}>
        Calendar
      </a>
    </div>
  </TaskSection>
)

/** Leave requests that this device has not sent. Their address starts with the page to request leave. */
const queuedLeave = (queued: readonly QueuedRequest[], page: string | null): MyTask[] =>
  queued.flatMap(({ key, at, what, text = '', refused }) =>
    page && at?.startsWith(`${page}?`) && !refused ? [{ key, title: text, detail: what, to: at, due: null }] : [],
  )

/** Buttons at the foot of the screen to report something. */
function ReportBar({ report }: Pick<MyTasks, 'report'>) {
  if (!report.length) return null
  return (
    <nav className={css.report} aria-label="Report something">
      {report.map(({ title, to }) => (
        <a key={to} className={css.reportLink} href={to}>
          <IconAlertTriangle size={24} aria-hidden />
          {title}
        </a>
      ))}
    </nav>
  )
}

function Settings({ me }: { readonly me: Me }) {
  const [size, setSize] = useState(readTextSize)
  const choose = (next: TextSize) => {
    setTextSize(next)
    setSize(next)
  }
  return (
    <footer className={css.settings}>
      <fieldset className={css.sizes}>
        <legend>Size of text</legend>
        {TEXT_SIZES.map((one) => (
          <label key={one}>
            <input type="radio" name="text-size" checked={size === one} onChange={() => choose(one)} />
            {`${one} %`}
          </label>
        ))}
      </fieldset>
      <a className={css.quiet} href="/profile">
        My profile
      </a>
      <a className={css.quiet} href="/help">
        Help
      </a>
      <SignOutButton me={me} />
    </footer>
  )
}
