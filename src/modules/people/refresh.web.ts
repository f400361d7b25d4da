import { useQueryClient } from '@tanstack/react-query'
import { employee } from './employees/employee.ts'
import { employeeRecord } from './employees/employee-record.ts'
import { employeeJob } from './jobs/employee-job.ts'
import { employeeLogin } from './logins/employee-login.ts'

/** Returns a function that reloads everything that shows employees. */
export function useRefreshEmployees(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const { url } of [employee, employeeRecord, employeeJob, employeeLogin])
      void queries.invalidateQueries({ queryKey: [url] })
  }
}
