import type { ReactNode } from 'react'
import type { MyTask } from './my-tasks.ts'
import css from './tasks.module.css'

const DAY_MS = 86_400_000

const londonDay = (at: number): string => new Date(at).toLocaleDateString('sv-SE', { timeZone: 'Europe/London' })

const formatDay = (day: string): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'long' })

/** Returns the due date in words, and whether it has passed. */
export function describeDueDay(due: string, now = Date.now()): { readonly words: string; readonly isLate: boolean } {
  const today = londonDay(now)
  if (due < today) return { words: `Overdue since ${formatDay(due)}`, isLate: true }
  if (due === today) return { words: 'Due today', isLate: false }
  return { words: due === londonDay(now + DAY_MS) ? 'Due tomorrow' : `Due ${formatDay(due)}`, isLate: false }
}

interface RowProps {
  readonly task: MyTask
  /** True if the task was done on this device and has not been sent. */
  readonly isUnsent: boolean
}

function TaskRow({ task: { title, detail, to, due }, isUnsent }: RowProps) {
  const day = due === null || isUnsent ? undefined : describeDueDay(due)
  return (
    <li>
      <a className={css.task} href={to}>
        <strong>{title}</strong>
        {detail && <span className={css.detail}>{detail}</span>}
        {isUnsent && <span className={css.due}>Done on this device, not sent yet</span>}
        {day && (
          <span className={css.due} data-late={day.isLate}>
            {day.words}
          </span>
        )}
      </a>
    </li>
  )
}

interface SectionProps {
  readonly title: string
  readonly icon: ReactNode
  readonly tasks: readonly MyTask[]
  readonly empty: string
  /** Paths of pages with requests that have not been sent. */
  readonly unsent: ReadonlySet<string>
  readonly children?: ReactNode
}

export function TaskSection({ title, icon, tasks, empty, unsent, children }: SectionProps) {
  return (
    <section className={css.section} aria-label={title}>
      <h2>
        {icon}
        {tasks.length ? `${title} (${tasks.length})` : title}
      </h2>
      {tasks.length ? (
        <ul className={css.tasks}>
          {tasks.map((task) => (
            <TaskRow key={task.key} task={task} isUnsent={unsent.has(task.to)} />
          ))}
        </ul>
      ) : (
        <p className={css.detail}>{empty}</p>
      )}
      {children}
    </section>
  )
}
