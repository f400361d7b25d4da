import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { formVersion } from '../types/form-version.ts'
import type { DocumentScreenProps } from '../types/kind.web.ts'
import { FormEditor } from './form-editor.web.tsx'
import { formPaths } from './paths.ts'

/** The page that makes the next version of a form, from the current one or from the one in the address. */
export default function NewFormVersionPage({ parts: { kind } }: DocumentScreenProps) {
  const paths = formPaths(kind)
  const [search] = useSearchParams()
  const from = search.get('from')
  const start = useQuery({
    queryKey: ['changing a form', kind.kind, from],
    queryFn: ({ signal }) =>
      from
        ? callApi<{ schema: FormSchema }>('GET', iriOf(formVersion, from), undefined, { signal }).then((v) => v.schema)
        : callApi<FormSchema>('GET', `${kind.resource.url}/schema`, undefined, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  const title = `Edit form questions: ${kind.nav.title.toLowerCase()}`
  const back = { label: 'Versions', to: paths.list }
  if (!start.data)
    return (
      <Page title={title} back={back}>
        {start.isError ? <ErrorState error={start.error} onRetry={() => void start.refetch()} /> : <Skeleton h={320} />}
      </Page>
    )
  return <FormEditor key={from} kind={kind} title={title} back={back} start={start.data} />
}
