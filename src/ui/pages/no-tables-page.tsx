/** What is shown where there is no table to show. */

import { Blank } from '../parts/blank.tsx'
import { Head } from '../parts/head.tsx'
import { useMessages } from '../parts/use-messages.ts'
