export const MY_TASKS_URL = '/api/portal/my_tasks'

/** A task of the signed-in person. */
export interface MyTask {
  readonly key: string
  readonly title: string
  readonly detail: string
  /** Path of the page on which the task is done. */
  readonly to: string
  /** Day on which the task is due; null without one. */
  readonly due: string | null
}

export interface MyLeave {
  /** Leave that remains in this leave year, in words; null while no leave is counted. */
  readonly left: string | null
  readonly year: { readonly from: string; readonly until: string }
  /** Requests whose leave has not ended. */
  readonly requests: readonly MyTask[]
  /** Path of the page to request leave; null while the product has lapsed. */
  readonly request: string | null
  readonly calendar: string
}

/** All tasks of a person. A list without access to its product is empty. */
export interface MyTasks {
  readonly sign: readonly MyTask[]
  readonly read: readonly MyTask[]
  readonly forms: readonly MyTask[]
  /** Tasks of checklists for starters and leavers; absent in tasks that a device stored before there were any. */
  readonly checklists?: readonly MyTask[]
  /** The person’s own training with its expiry; absent in tasks that a device stored before there was any. */
  readonly training?: readonly MyTask[]
  /** Null without the product, and for users who are not joined to an employee. */
  readonly leave: MyLeave | null
  /** Pages to report something. They work without a connection. */
  readonly report: readonly Pick<MyTask, 'title' | 'to'>[]
}

/** Most tasks that a section lists. */
export const MAX_TASKS = 50
