import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#web/api/client.ts'
import { reading } from '#web/api/reading.ts'
import { toast } from '#web/ui/toast.ts'
import { type CommissionSums, SUMS } from './sums.ts'

export const useSums = () => useQuery({ queryKey: [SUMS], ...reading<CommissionSums>(SUMS), refetchOnMount: 'always' })

/** Runs an action of a month and refetches commission data. */
export function useMonthAct() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ month, path }: { readonly month: string; readonly path: string }) =>
      call('POST', `${month}/${path}`, {}),
    onSuccess: () => toast.saved('the month'),
    onError: (e) => toast.failed(e),
    onSettled: () => client.invalidateQueries(),
  })
}
