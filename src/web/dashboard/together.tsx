import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFirstAnswers } from './first-answers.ts'
import css from './together.module.css'

/** Parts that are shown when all of them have something to show. */
export function Together({ children }: { readonly children: ReactNode }) {
  const ready = useFirstAnswers()
  return (
    <div className={css.parts} data-ready={ready} aria-busy={!ready}>
      <Stack gap="lg">{children}</Stack>
      {!ready && (
        <Stack gap="lg" className={css.waiting} role="status" aria-label="Loading">
          <Skeleton h={180} />
          <Skeleton h={320} />
        </Stack>
      )}
    </div>
  )
}
