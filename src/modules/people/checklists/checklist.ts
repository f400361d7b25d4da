import { choice, date, flag, instant, integer, link, longText, rows, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { employee } from '../employees/employee.ts'
import { IN_SERVICE } from '../employees/employee-fields.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'

const PURPOSES = [
  { value: 'starter', label: 'Starter' },
  { value: 'leaver', label: 'Leaver' },
] as const

const TASK_OWNERS = [
  { value: 'hr', label: 'Human resources' },
  { value: 'manager', label: 'Manager' },
  { value: 'employee', label: 'The employee' },
  { value: 'person', label: 'A named person' },
] as const

/** Most tasks of a checklist. */
export const MAX_CHECKLIST_TASKS = 50
/** Most days between a task and the first or last day of employment. */
const MAX_DAYS = 366

/** Returns the day on which a task is due, counted from a first or last day of employment; null if that is not known. */
export const dueDay = (base: string | null, days: number): string | null =>
  base === null ? null : Temporal.PlainDate.from(base).add({ days }).toString()

const ofHr = { read: HR_ROLES, create: HR_ROLES, update: HR_ROLES } as const

const taskFields = {
  position: integer({ default: 0, min: 0, order: true }),
  title: text({ required: 'Please enter the task', max: 200, stripInvisible: true, label: 'Task' }),
  owner: choice(TASK_OWNERS, { default: 'hr', notNull: true, filter: true }),
  /** Owner of the task if it is a named person. */
  person: link(() => employee, { filter: true, embed: ['name'], offers: IN_SERVICE, label: 'Named person' }),
  /** Days after the first or last day of employment; negative for days before it. */
  days: integer({ default: 0, min: -MAX_DAYS, max: MAX_DAYS, label: 'Days' }),
  file: link(() => uploadedDocument, { embed: ['name'], hideUnreadable: true, label: 'Document' }),
}

export const checklistTemplateTask = resource({
  type: 'ChecklistTemplateTask',
  service: 'employees',
  path: 'checklist_template_tasks',
  table: 'checklist_template_task',
  tenant: 'own',
  order: ['position'],
  pack: 'employees',
  fields: { template: link((): Resource => checklistTemplate, { required: true, filter: true }), ...taskFields },
  allow: { read: HR_ROLES },
})

/** Tasks for people who start or leave. A company has one template for leavers. */
export const checklistTemplate = resource({
  type: 'ChecklistTemplate',
  service: 'employees',
  path: 'checklist_templates',
  table: 'checklist_template',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  pack: 'employees',
  fields: {
    name: text({ required: 'Please enter a name', max: 120, stripInvisible: true, filter: 'partial', order: true }),
    purpose: choice(PURPOSES, { required: 'Please choose what it is for', filter: true, label: 'For' }),
    tasks: rows(() => checklistTemplateTask, { by: 'template' }),
    retired: flag({ filter: true }),
  },
  allow: ofHr,
})

/** Checklist of an employee, copied from a template. Later changes of the template leave it as it is. */
export const checklist = resource({
  type: 'Checklist',
  service: 'employees',
  path: 'checklists',
  table: 'checklist',
  tenant: 'own',
  title: 'name',
  order: ['-id'],
  pack: 'employees',
  fields: {
    employee: link(() => employee, {
      required: 'Please choose an employee',
      embed: ['name'],
      filter: true,
      offers: IN_SERVICE,
    }),
    template: link(() => checklistTemplate, {
      required: 'Please choose a template',
      filter: true,
      offers: IN_SERVICE,
      hideUnreadable: true,
    }),
    name: text({ readonly: true, notNull: true }),
    purpose: choice(PURPOSES, { readonly: true, notNull: true, filter: true, label: 'For' }),
    tasks: integer({ readonly: true, notNull: true, sql: 'checklist_count(t.client_id, t.id, false, false)' }),
    done: integer({ readonly: true, notNull: true, sql: 'checklist_count(t.client_id, t.id, true, false)' }),
    overdue: integer({ readonly: true, notNull: true, sql: 'checklist_count(t.client_id, t.id, false, true)' }),
    retired: flag({ filter: true, label: 'Ended' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Started by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: {
    read: EMPLOYEE_READER_ROLES,
    create: HR_ROLES,
    update: HR_ROLES,
    rows: [{ unless: HR_ROLES, only: only.inSet('id', 'checklists_visible') }],
  },
})

const byOwner = {
  allow: EMPLOYEE_READER_ROLES,
  rows: [{ unless: HR_ROLES, only: only.inSet('id', 'checklist_tasks_owned') }],
} as const

/** Task of an employee's checklist. Its owner, and human resources, complete it. */
export const checklistTask = resource({
  type: 'ChecklistTask',
  service: 'employees',
  path: 'checklist_tasks',
  table: 'checklist_task',
  tenant: 'own',
  title: 'title',
  order: ['position'],
  pack: 'employees',
  fields: {
    checklist: link(() => checklist, { required: true, filter: true, embed: ['name'] }),
    employee: link(() => employee, { required: true, filter: true, embed: ['name'] }),
    ...taskFields,
    /** Null if the first or last day of employment is not known. */
    dueOn: date({ readonly: true, filter: true, order: true, label: 'Due' }),
    late: flag({ readonly: true, sql: '(t.done_at IS NULL AND t.due_on < london_today())', label: 'Overdue' }),
    done: flag({ readonly: true, filter: true, sql: 't.done_at IS NOT NULL' }),
    doneAt: instant({ readonly: true }),
    doneBy: text({ readonly: true, default: '', notNull: true, person: true, label: 'Done by' }),
    /** True if the checklist has ended. */
    retired: flag({ readonly: true, filter: true }),
  },
  allow: {
    read: EMPLOYEE_READER_ROLES,
    rows: [{ unless: HR_ROLES, only: only.inSet('id', 'checklist_tasks_visible') }],
  },
  actions: {
    complete: { path: 'complete', title: 'Mark as done', input: {}, ...byOwner },
    reopen: {
      path: 'reopen',
      title: 'Mark as not done',
      input: { reason: longText({ required: 'Please enter a reason', max: 500 }) },
      ...byOwner,
    },
  },
})

/** History of a task: who marked it as done or not done, and why. */
export const checklistTaskEvent = resource({
  type: 'ChecklistTaskEvent',
  service: 'employees',
  path: 'checklist_task_events',
  table: 'checklist_task_event',
  tenant: 'own',
  order: ['id'],
  pack: 'employees',
  appendOnly: true,
  fields: {
    task: link(() => checklistTask, { required: true, filter: true }),
    event: choice(
      [
        { value: 'done', label: 'Done' },
        { value: 'undone', label: 'Marked as not done' },
      ],
      { required: true },
    ),
    reason: text({ default: '', max: 500 }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, rows: [{ unless: [], only: only.ofReadable('task') }] },
})
