import { SALE_SOURCES } from './report.ts'
import { ReportScreen } from './report.web.tsx'

export default () => <ReportScreen report={SALE_SOURCES} />
