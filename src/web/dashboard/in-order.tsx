import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './in-order.module.css'

/**
 * Sections shown from the top down, in whatever order they are answered: sections below one that is still loading are
 * laid out and request their data, but are not visible yet.
 */
export const DashboardSections = ({ children }: { readonly children: ReactNode }) => (
  <Stack gap="lg" className={css.parts ?? ''}>
    {children}
  </Stack>
)

/** The placeholder of a section that may turn out to be empty. */
export const DashboardSectionSkeleton = () => <Skeleton h={96} role="status" aria-label="Loading" />
