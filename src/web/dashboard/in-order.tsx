import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './in-order.module.css'

/**
 * Parts that are shown from the top down, in whatever order they are answered: what follows one that is still drawn in grey is laid
 * out and asks for what it needs, and nobody sees it move.
 */
export const InOrder = ({ children }: { readonly children: ReactNode }) => (
  <Stack gap="lg" className={css.parts ?? ''}>
    {children}
  </Stack>
)

/** Stands for a part of which nobody knows yet whether there is one. */
export const PartAwaited = () => <Skeleton h={96} role="status" aria-label="Loading" />
