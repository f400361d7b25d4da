import { searchGroup } from '#web/shell/manifest/search.ts'
import { employeeRecord } from './employees/employee-record.ts'
import { employeePath, peopleNav } from './nav.ts'

export default [
  searchGroup({
    label: 'Employees',
    icon: peopleNav.employees.icon,
    resource: employeeRecord,
    params: () => ({ retired: false }),
    title: ({ name }) => name,
    detail: ({ jobtitlename, department }) => [jobtitlename, department?.name],
    href: ({ id }) => employeePath(id),
  }),
]
