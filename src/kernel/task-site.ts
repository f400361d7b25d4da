/** Path of My-Task, the site with all tasks of an employee. */
export const TASK_SITE_PATH = '/my-task'

/** True for users whose only role is that of an employee: they start in My-Task, and need nothing else. */
export const hasTaskSiteOnly = (user: { readonly roles: readonly string[] } | undefined): boolean =>
  user !== undefined && user.roles.length > 0 && user.roles.every((role) => role === 'ROLE_EMPLOYEE')
