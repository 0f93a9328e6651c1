/** Meanings that words have. The words of a script are listed in this order. */
export const concepts = [
  /** Cancels earlier instructions. */
  "drop",
  /** Warns against setting aside: the opposite of `drop`. */
  "keep",
  /** Names the instructions of a model. */
  "rules",
  /** Means all of it, or everything earlier. */
  "prior",
  /** Says that the speaker's own words are meant: people correct themselves. */
  "own",
  /** Names the subject of ordinary instructions and rules. */
  "topic",
  /** Gives the reader a new role. */
  "role",
  /** Gives a role in so many words; ordinary roles that people get are `honestRole`. */
  "newRole",
  "honestRole",
  /** Says that limits do not hold. */
  "unbound",
  /** Speaks in the voice of an operator. */
  "system",
  /** Asks to show something. */
  "reveal",
  /** Names the instructions that a model keeps for itself. */
  "prompt",
  /** Asks not to say something to the user. */
  "hushUser",
  /** Asks for silence, as people do with each other. */
  "hush",
  /** Mentions a model. */
  "machine",
  /** Addresses a model by its kind. */
  "call",
  /** People whose titles begin like the name of a model. */
  "honestCall",
  /** Asks for something. */
  "order",
  /** Speaks about the user and the task as only a model is spoken to. */
  "task",
  /** Does something with data or money. */
  "act",
  /** Names data that others should not get. */
  "secret",
  /** Names a place on the network. */
  "address",
  /** Asks to use a tool. */
  "useTool",
  "tool",
  /** Names a tool the way code does. */
  "code",
] as const;

/** A meaning that words have. */
export type Concept = (typeof concepts)[number];

type TextOfEach<List extends readonly string[]> = { readonly [Index in keyof List]: string };

/**
 * Words of texts that address a model: for each script, the words of each meaning. `|` separates words, a group
 * `(a|b)` stands for each of its members, `$` ends a whole word, and a word without it is a beginning. Case, accents,
 * invisible characters and punctuation are folded before the comparison, so Latin words are written without accents. No
 * word begins or ends with another one of its meaning. Words of one script are together because they share letters, and
 * similar words are near each other: both make the file smaller when it is compressed. Otherwise the order has no meaning.
 */
export const injectionWords: readonly TextOfEach<typeof concepts>[] = [
  // Latin
  [
    /* drop */ "ignor|bypass|neglect|discard|override$|pay no attention|abandon|are (void|no longer valid|cancelled)|supersed|throw out|forget|disregard|overriding|(lay|set|put) aside|need not follow|dismiss|cease to follow|don't follow|do (not (follow|adhere)|away with)|no longer (follow|appl)|stop (following|obeying)|" +
      "(regeln|richtlinien|gelten) nicht mehr|nicht (mehr beacht|langer befolg)|(beachte|befolge|vorgaben|anweisungen) nicht|verwirf|außer acht|vergiss|(vergessen|verwerfen) sie|beachten sie nicht|ubergeh|setz dich uber|missacht|halte dich nicht|" +
      "(fais|faites) abstraction|oublie|(laisse|laissez) de cote|(passe|passez) outre|ne ((tenez|tiens) (pas|plus) compte|suis (pas|plus)|suivez pas)|" +
      "pasa por alto|deje de lado|deja de (lado|seguir)|olvid|no ((tengas|tenga) en cuenta|siga)|(haz|haga|hagan) caso omiso|descarta|" +
      "metti da parte|lascia perdere|non ((tenere|tenga) conto|considerare|seguire)|scordati|dimentichi|dimentica|trascura|tralascia|" +
      "desconsider|desprez|nao ((leve|tenha) em conta|siga)|(deixe|deixa) de lado|esquec|" +
      "sla geen acht|laat buiten beschouwing|vergeet|negeer|(houd|hou) geen rekening|volg niet|" +
      "nie (zwracaj uwagi|stosuj|przestrzegaj)|zapomnij|odrzuc|zignoruj|pomin|zlekcewaz|" +
      "zapomen|jata huomiotta|se bort fra|bortse fran|hagyd figyelmen|ala valita|nu tine (cont|seama)|zabudni|strunta i|uita|nedbej|felejtsd|glem|unohda|nehled|glom|" +
      "unut|yok say|gormezden gel|goz ardı et|dikkate alma|bos ver|" +
      "lupakan|hiraukan|kalimutan|kesampingkan|sahau maagizo|puuza|bo qua|đung tuan|huwag pansinin|abaikan|hay quen|jangan ikuti|phot lo",
    /* keep */ "do not (ignor|bypass)|(don't|never) (ignor|forget|disregard|overrid|bypass)|not (to (ignor|forget)|forget|disregard|discard|overrid)|(didn't|people|i|we|always) forget|(easy|hard|tend|tends) to (ignor|forget)|ignores|ignore this (message|email|letter)|ignoring|(can|safely|may) (ignor|disregard)|ignorance|(can't|they|who|cannot) ignor|often (ignor|forget)|forgets|ignorant|forgetting|(want|chose|choose|tried) to ignor|disregard this|ignored|" +
      "unutma|đung quen|jangan (lupa|abaikan)|nicht (vergess|ignorier|missacht|ubergeh)|nie (zapomnij|ignoruj)|non (dimentica|ignor)|nao (esquec|se esquec|ignor)|n'oublie|(vergeet|negeer) niet|niet vergeet|nunca olvid|no (olvid|ignor)|n'ignore",
    /* rules */ "direction|briefing|prompts$|safety protocol|system prompt|programming|prompt$|context$|rules$|commands$|rule$|constraint|the task you were given|safeguards|original task|restriction|directive|everything (you (were told|have been told)|you've been told)|your (orders|current task|task)|guideline|what (you (were (told|asked)|have been told)|you've been told|i told you|was said before)|guidance|guardrail|" +
      "instruktion|regeln|richtlinie|vorgabe|regel$|anweisung|befehl|weisung|auftrag|was (dir gesagt|man dir)|" +
      "ordres|consigne|regle|ce qu'on t'a dit|" +
      "lo que te (dij|han dicho)|ordenes|indicacion|directiva|directri|regla|" +
      "direttiv|ordini|regol|indicazion|istruzion|quello che ti e stato detto|" +
      "instruc|ordens|o que lhe foi dito|comandos|orientac|diretri|regra|" +
      "aanwijzing|opdracht|voorschrift|regels|richtlijn|" +
      "wytyczn|reguł|nakaz|zasad|polecen|" +
      "anvisning|utasitas|pokyn|szabaly|ohje|instruks|riktlinj|reguli|saan|retningslinje|instrukc|indicati|pravid|" +
      "talimat|komut|yonerge|kural|yonlendirme|" +
      "chi (thi|dan)|menh lenh|perintah|petunjuk|maagizo|tagubilin|arahan|huong dan|quy tac|aturan",
    /* prior */ "prior|earlier|up to now|original|entire|all$|any$|every|system|so far|foregoing|until now|given to you|initial|existing|you've been (given|told)|your|you (were (told|given)|have (been (given|told)|received)|had been given|received)|former|current|above|" +
      "deine|vorhergehend|obig|bislang|vorig|vorangegangen|die dir$|ursprunglich|alles$|zuvor|alle$|samtliche|vorherig|bisherig|bis jetzt|fruher|" +
      "ci-dessus|jusqu'ici|d'avant|toutes|jusqu'a present|anterieur|recu|tous|qu'on t'a|tes$|que tu as|qui t'ont|" +
      "todos|previo|anterior|previa|hasta (ahora|aqui)|recibid|tus$|que (te$|se te)|todas|" +
      "ricevut|finora|iniziali|tue$|originari|tutti|tutte|prece|che (ti (sono|hanno)|hai)|" +
      "recebid|tuas$|que (lhe|voce)|suas$|ate agora|iniciais|" +
      "bovenstaande|tot nu toe|eerdere|oorspronkelijk|die je (zijn|hebt)|voorgaande|jouw|" +
      "dotychczas|poprzedni|swoje|powyzsz|wczesniejsz|wszystk|pierwotn|" +
      "ovanstaende|toate|predchoz|korabbi|edelli|dosavadn|foregaende|tidigare|vsechny|elozo|alla$|anterioare|aikaisemm|tidligere|aiemm|minden|kaikki|eddigi|" +
      "tum$|yukarıdaki|simdiye kadar|onceki|butun|" +
      "zote|lahat|awali|tat ca|moi$|semua|seluruh|sebelumnya|truoc|di atas|ben tren|nakaraan",
    /* own */ "(his|her) previous|benim onceki|our (previous|prior|earlier|old)|mijn (vorige|eerdere)|mes (instructions|consignes)|meine (anweisung|vorherig|letzt|fruher)|mie istruzion|my (previous|prior|earlier|direction|last|instruction|old)|mis (instruccion|indicacion)|minhas instruc|their (previous|earlier)|moje poprzednie",
    /* topic */ "directions (on the|to)|of the prompts|rules (on|about|for the|you know|of)|guidelines (on|about|for)|guidance (on|about)|istruzioni (di montaggio|del)|instrucciones (de montaje|del)|instructions (on (the|page|how)|for (the|assembl)|in (the|your|my)|if you|du|de montage|about|(i|we) sent|regarding|printed|that came with|and (follow|use) the new)|anweisungen (zur|auf|zum|im)|regels van",
    /* role */ "you (are now|will now be)|take on the role|assume the (role|persona)|your new role|pretend|from (now on you|this (moment you|point on you))|you're now|role-play|role play|(acting|behave|act) as|roleplay|enter|switch to|" +
      "de (ahora en adelante|agora em diante|acum inainte)|su andan itibaren|nyni jsi|d'ora in poi|tu es maintenant|fran och med nu|desormais|artık sen|agora (es|voce e)|mostantol|olet nyt|vous etes maintenant|(je|u) bent nu|da questo momento|a partir de (maintenant|ahora|agora)|fra nu af|(ora|adesso) sei|bundan sonra|ab (jetzt|sofort) bist|(jestes|od) teraz|ahora (es usted|eres)|teraz jestes|odted|vanaf nu|du (bist (jetzt|nun)|(ar|er) nu)|von nun an|" +
      "tu bay gio|(mulai|kamu|anda) sekarang|bay gio ban",
    /* newRole */ "you are now (a$|an$)|du bist jetzt ein|you're now (a$|an$)|ahora eres un|agora voce e um|tu es maintenant un|ora sei un|je bent nu een",
    /* honestRole */ "you are now (a (member|subscriber|shareholder|customer|follower|homeowner|maintainer|moderator|collaborator|contributor|citizen|certified|verified|registered|resident|parent|part|proud|premium|team|guest|graduate|grand|friend|few|beneficiary|step)|an (author|alum|admin of|owner|organi|hour|official))|du bist jetzt ein mitglied|ora sei un membro|ahora eres un miembro",
    /* unbound */ "do anything now|root$|no (restrictions|rules|guidelines|longer bound)|not bound by|jailbr|uncensored|unrestricted|unfiltered|superuser|without (restriction|any (restriction|ethical)|limits|filter)|free (of|from) all|dan$|evil|system administrator|(developer|debug|maintenance|god|sudo|admin) mode|" +
      "ohne (einschrankung|beschrankung)|mode (developpeur|pengembang)|modo (desenvolvedor|desarrollador|de desenvolvedor)|khong (gioi han|bi han che)|modalita sviluppatore|tryb (dewelopera|programisty)|sans (restriction|limite|filtre)|fara restrictii|sin (restriccion|limite|filtro)|sem (restric|limite|filtro)|senza (restrizion|limit|filtr)|gelistirici modu|entwicklermodus|bez (ograniczen|omezeni)|tanpa batasan|zonder beperking|utan begransning|ontwikkelaarsmodus|uden begrænsning|onbeperkt|uneingeschrankt|kısıtlama olmadan|sınırsız|korlatozas nelkul",
    /* system */ "new (orders from|instruction|directive)|instruction update|emergency protocol|system (message|override|note|notice|instruction|update|command)|this is an important message|override code|(begin|critical|updated|revised|hidden) instruction|important (message (from|to)|instruction|notice to)|end of instructions|(administrator|security|priority|admin) override|begin_instruction|" +
      "nouvelles (instructions|consignes)|nouvelle (instruction|consigne)|nowe (polecenie|instrukcje)|nowa instrukcja|chi thi moi|systemanweisung|neue anweisung|nuevas instrucciones|systemmeldung|nuove istruzioni|systemnachricht|novas instrucoes|systeembericht|nova instrucao|nuova istruzione|nueva (instruccion|indicacion)|message (systeme|du systeme)|nieuwe instructie|instruksi baru|wiadomosc systemowa|messaggio (di|del) sistema|mensagem do sistema|mensaje del sistema|yeni talimat|komunikat systemow|sistem mesajı",
    /* reveal */ "acıkla|mostra|powtorz|muestra|pokaz|zeig|leak|display|gib|show$|herhaal|ujawnij|tampilkan|toon|ungkapkan|tiet lo|imprime|dump|tell me|goster|print$|quote|repeat|output$|contents of your system|nenne|what (is|are) your|recite|repite|affiche|disclose|reveal|revela|mostre|repete|repita|montre|rivela|wiederhol|revele|ripeti|onthul",
    /* prompt */ "(the|entire|full) system prompt|sistem (komut|istem)|(dein|ton|tu) prompt|tus instrucciones|suas instrucoes|swoje instrukcje|deine anweisungen|jouw instructies|deinen systemprompt|tue istruzioni|systeemprompt|tes (instructions|consignes)|prompt (systeme|systemow|sistem|(do|di|del) sistema|he thong)|your (system (message|prompt)|prompt|instructions|(original|initial|secret) instruction|configuration|hidden)",
    /* hushUser */ "(keep|hide) (this|it) from the user|without ((asking|telling|notifying) the user|mentioning (this|it) to the user)|not (tell the user|be shown to the user|visible to the user)|don't ((tell|inform|notify|alert|ask) the user|mention (this|it) to the user|let the user know|reveal this)|conceal this from the user|do not (mention ((this|it) to the user|to the user)|(inform|let|notify|alert|ask) the user|(disclose|reveal) this)|user (does not need to know|doesn't need to know|(need|should) not know|must not (know|notice)|won't notice)|no need to (mention this|(tell|inform|bother|trouble) the user)|" +
      "(sage|sag) dem (nutzer|benutzer) nichts|der nutzer (muss davon nichts|darf)|(den|dem) (nutzer|benutzer) nicht|ohne (den|dem) (nutzer|benutzer)|" +
      "l'utilisateur ne doit pas|ne (previens pas|mentionne pas cela|le mentionne pas)|sans (en informer|(informer|prevenir) l'utilisateur)|n'en (informe|parle|parlez) pas|a l'utilisateur|" +
      "(aan|zonder) de gebruiker|bez (informowania|wiedzy uzytkownik)|no (se lo (digas|menciones)|lo menciones)|sin (que el usuario|avisar)|senza (informare|avvisare|che l'utente)|all'utente|de gebruiker niet|nie ((informuj|mow) uzytkownik|wspominaj)|non (dirlo|menzionarlo)|sem (informar|avisar)|al usuario|ao (usuario|utilizador)|nao conte|" +
      "nu spune utilizatorului|ala kerro kayttajalle|sag inget till anvandaren|ne mondd el a felhasznalonak|fortæl ikke brugeren|kullanıcının haberi|kullanıcıyı bilgilendirme|beratta inte for anvandaren|nerikej uzivateli|kullanıcıya (soyleme|haber verme|bahsetme)|" +
      "tanpa (sepengetahuan pengguna|memberi tahu pengguna)|jangan (beritahu pengguna|beri tahu pengguna)|đung (noi voi nguoi dung|cho nguoi dung)|khong can thong bao cho nguoi dung",
    /* hush */ "sin decir|without (informing|telling|notifying)|do not (mention|tell|inform)|bi mat|w tajemnicy|gizlice|secretly|discretement|po cichu|don't (mention|tell)|en secret|quietly|discretamente|sessizce|stillschweigend|silently|len lut|verrate|em segredo|diam-diam|heimlich|covertly|discreetly|di nascosto|stiekem",
    /* machine */ "(automated|the) (assistant|agent)|modele de langage|(language|jazykovy) model|tro ly|dil modeli|gpt$|copilot|tekoaly|ai (assistant|agent|model|tool|system)|model jezykowy|ai-assistent|ki-assistent|ki-system|nyelvi modell|ki-modell|sprachmodell|sprakmodell|ki-agent|modelo de (linguagem|lenguaje)|modello linguistico|sztuczna inteligencja|(assistant|agent) ia|(asystent|asystenta) ai|llm$|yapay zeka|gemini|assistente (ai|de ia|ia|virtuale)|taalmodel|inteligencia artificial|intelligence artificielle|claude|chatbot|llms$|agente (ai|de ia)|(this|virtual|digital) assistant|asistan|intelligenza artificiale|chatgpt|asisten|kunstliche intelligenz|asystencie",
    /* call */ "dear (ai|assistant|agent|chatbot|llm|language model)|instructions for (ai|any ai|assistant|the (ai|assistant)|llm|language model)|instruction for (ai|the (ai|assistant))|whichever ai|the ai handling|attention (ai|all ai|assistant|agent|chatbot|llm|language model)|hey (ai|assistant|agent)|llm (must|please)|to (whichever assistant|the (ai|assistant)|any ai)|(hello|hi) (ai|assistant)|ai (assistants reading|agent (must|please|should)|(reading|processing|handling) this|must|you must|please)|agent ((reading|processing|handling) this|you must)|model (reading this|must)|message (for (the (ai|assistant)|ai)|to ai)|assistant ((reading|processing|handling) this|you must|must|please|should|shall|is required)|note (to (ai|assistant|any (automated|assistant)|llm)|for (ai|the (ai|assistant)))|if (you are (an (ai|assistant|llm)|a (language model|large language))|you're (an ai|a language model)|(an|any) ai)|as (the (language model|ai reading|assistant (reading|you))|an (ai (you|assistant|agent|model|language)|assistant you)|a language model)|" +
      "(gentile|caro|prezado) assistente|lieber (assistent|ki)|voor de assistent|hinweis fur (den assistenten|die ki|ki)|beste assistent|(querido|estimado) asistente|liebe ki|kepada asisten|anweisung fur die ki|als je een ai|a (l'attention de (l'assistant|l'ia)|l'assistant)|note pour (l'assistant|l'ia)|istruzioni per (l'assistente|l'ia)|(drogi|szanowny) asystencie|nota (para (el asistente|o assistente|la ia)|per l'assistente)|instrucciones para (el asistente|la ia)|eger bir yapay zeka|instrucoes para (o assistente|a ia)|(instrukcja|uwaga) dla asystenta|cher assistant|asistan icin not|asisten yang terhormat|wurde der assistent bitte|se (sei (un assistente|un'ia)|voce (for|e) uma ia)|(wenn|falls) du eine ki|si (tu es une ia|vous etes une ia|eres una ia)|(sevgili|sayın) asistan|gui tro ly|an (den assistenten|die ki)|instructions pour l'ia|jesli jestes sztuczna",
    /* honestCall */ "assistant (manager|teacher|team|to the|nurse|referee|store|secretary|coach|cook|chef|professor|producer|principal|director|editor|engineer|dean)",
    /* order */ "tu dois|must$|deve$|pourrais|musisz|per favore|instead|voce deve|vous devez|pourriez|potresti|alsjeblieft|veuillez|podria|konnten|bitte|s'il (te|vous) plait|sofort|du (musst|sollst)|moet je|devi$|poderia|konntest|please|should$|tienes que|potrebbe|debe$|por favor|lutfen|gerekiyor|prosze|silakan|hay|(reply|respond|answer) only|rispond|antworte|repond|appreciate it if|your (job|task)|malısın|debes|immediately|responda|gelieve|vui long|responde|(musst|sollst) du|harap|appreciated if|you (must|should|shall|(need|have) to|will need|will$|are (required|to))|be (grateful if|sure)|merci d|tolong|kindly|make sure|(could|would) you|je moet|mogłby|if you could|zou (u|je)",
    /* task */ "the (user ((wants|asked) you to|(previously|already) approved|has (asked you|authori|already (authori|approved)|approved|consented|changed the task|given permission)|would (like you|also)|also wants|changed the task|consent)|account owner has (authori|approved)|person (you (are assisting|assist)|you're helping))|while helping the user|to ((complete|answer) the user's|(fulfill|fulfil) the user)|before (you (solve the task|answer the user|can solve)|solving the task|answering the user|(replying|responding) to the user)|behalf of your user|on (the user's behalf|behalf of the user)|helping the user with|continue with the (original task|user's)|if (you are summarizing|you're summarizing)|in order to complete the user|then (continue with your|resume the task)|when ((summarizing|summarising) this|you (summarize|summarise) this|processing this (document|email|page))|return to the (original task|user's request)|who you are assisting|as part of your task|go on with the original task|your (user's|principal|operator)|" +
      "namens de gebruiker|antes de responder (al usuario|ao)|avant de repondre a l'utilisateur|en nombre del usuario|au nom de l'utilisateur|em nome do usuario|der (nutzer (mochte dass du|hat (bereits zugestimmt|dich gebeten))|benutzer mochte dass)|l'utilisateur (veut que tu|souhaite que|a (autorise|deja))|im namen des (nutzers|benutzers)|l'utente (vuole che|ha (autorizzato|gia))|prima di rispondere all'utente|de gebruiker (wil dat je|heeft al)|el usuario (quiere que|ha autorizado|ya ha)|per conto dell'utente|o usuario (quer que|autorizou|ja)|atas nama pengguna|bevor du (dem nutzer|antwortest)|pengguna ingin|kullanıcı (senden|zaten|adına)|zanim odpowiesz|w imieniu uzytkownika|uzytkownik (chce|juz)|voordat je antwoordt|thay mat nguoi dung",
    /* act */ "forwarding|posli|kopier|share$|include$|inviare|send|append|supprime|gonder|delete$|stuur|reenvia|verwijder|deleting|utald|wire$|forward$|envia|xoa|borra|add$|encaminhe|verstuur|leite|transfiere|overfor|upload|overmak|maak over|invite|grant$|payment|elimina|virement|email$|paste|transfer|submit|weiterleit|transfiera|transmets|invia$|pay$|sil$|skicka|ubermittl|uberweis|transfira|trasferisc|post$|copy$|slet|e-mail$|chuyen|gui|reenvie|envie|envoyer|iletin|transmettez|poista|attach|losch|laheta|aktar|radera|teruskan|schick|usun|trimite|wyslij|przeslij|przelej|przekaz|exfiltrat|smaz|exclua|bonific|ilet$|sterge|kuldd|apague|hapus|inoltra|envoie|envoyez|export|odesli|kirim",
    /* secret */ "(mot|mots) de passe|passwort|all (messages|emails|their emails|files)|private key|password|hasło|historique de la conversation|secrets$|sifre|secret (key|token)|losenord|haseł|(verification|security|one-time) code|(conversation|chat) history|parola|hesla|heslo|(access|auth) token|zugangsdaten|adgangskode|historico da conversa|wachtwoord|(this|entire|full) conversation|credit card|kennwort|apikey|personal data|contrasena|api-key|mat khau|jelszav|jelszo|historial de|senha|api (key|anahtar)|salasana|api_key|kata sandi|kundendaten|medical record|customer (list|data|record)|inloggegevens|kundenliste|passcode|(cle|cles|claves|clave|chiave|chiavi|klucz) api|api-schlussel|credential|credencia|donnees client|dati dei clienti|klantgegevens|inbox$|environment variable|hasła|contact list|datos de los clientes|identifiants|chave (de api|api)|api-sleutel|credenzial|cronologia|dane logowania|bank (details|account)|session cookie",
    /* address */ "www$|http|@|iban",
    /* useTool */ "roep|appelez|esegui|chiama|uzyj|call$|gebruik|invoke|panggil|fuhre|wywołaj|cagır|chame|goi|execute|kullan|benutze|appelle|voer|llama|usa la|nutze|ruf|usa$|utiliza|gunakan|ejecuta|verwende|(using|run|trigger|call|use) the|utilise",
    /* tool */ "tool$|herramienta|cong cu|alat|outil|funzione|narzedzi|strumento|function$|fonction|funcao|funcion|funkcj|arac|functie|tools$|endpoint|api$|fonksiyon|funktion|ferramenta|werkzeug",
    /* code */ "forward_|delete_|invite_|run_|send_|upload_|grant_|post_|make_|share_|execute_|create_|add_|update_|write_|remove_|read_|get_|pay_|transfer_",
  ],
  // Greek
  [
    /* drop */ "μην ακολουθ|μη λάβεις|αγνόησε|αγνοήστε|ξεχάστε|ξέχνα",
    /* keep */ "",
    /* rules */ "οδηγί|εντολ|κανόν",
    /* prior */ "όλους|όλες|παραπάνω|προηγούμεν",
    /* own */ "",
    /* topic */ "",
    /* role */ "από (εδώ και|τώρα)",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "χωρίς περιορισμ",
    /* system */ "",
    /* reveal */ "",
    /* prompt */ "",
    /* hushUser */ "μην (πεις στον χρήστη|ενημερώσεις)",
    /* hush */ "",
    /* machine */ "",
    /* call */ "",
    /* honestCall */ "",
    /* order */ "",
    /* task */ "",
    /* act */ "διάγραψε|μετάφερε|στείλε",
    /* secret */ "κωδικ|συνθηματικ",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Cyrillic
  [
    /* drop */ "игнорировать|отбрось|отмени|проигнорируй|забудь|игнорируй|ігноруй|не ((обращайте|обращай) внимания|следуй|зважай)",
    /* keep */ "не (забудь|игнорируй)",
    /* rules */ "правил|инструкц|распоряжени|предписани|команд|інструкц|указани|установки|вказів",
    /* prior */ "усі$|всі$|попередн|полученн|исходн|тебе (дали|говорили)|которые (тебе|ты)|свои|предыдущ|ранее|всех|выше|все$|прежни",
    /* own */ "мои предыдущие",
    /* topic */ "правила (игры|дорожн)",
    /* role */ "теперь ты|отныне|ты теперь|с этого момента|відтепер",
    /* newRole */ "теперь ты",
    /* honestRole */ "",
    /* unbound */ "(режим|режиме) разработчика|без (ограничений|фильтров)",
    /* system */ "новая инструкция|сообщение системы|системное сообщение|новое указание|новые инструкции",
    /* reveal */ "повтори|выведи|раскрой|покажи",
    /* prompt */ "системный (запрос|промпт)|свои инструкции",
    /* hushUser */ "пользователь не должен|без ведома пользователя|не ((сообщайте|говорите|сообщай|сообщая|говори) пользователю|упоминай|уведомляй пользовател|кажи користувач)",
    /* hush */ "тайно|незаметно|втайне",
    /* machine */ "ассистент|ии-агент|искусственный интеллект|языковая модель",
    /* call */ "(дорогой|уважаемый) ассистент|если (ты (языковая|ии)|вы ии)|для ассистента|ассистенту",
    /* honestCall */ "",
    /* order */ "пожалуйста|немедленно|не могли бы|должен|мог бы|должна|нужно",
    /* task */ "пользователь (уже|хочет)|перед тем как ответить|от имени пользователя|прежде чем ответить",
    /* act */ "удали|надішли|перешли|переведи|скопируй|отправь",
    /* secret */ "данные клиентов|(ключ|ключи) api|пароль|пароли|переписк|паролей|учётные данные",
    /* address */ "",
    /* useTool */ "используй|запусти|вызови",
    /* tool */ "функци|инструмент",
    /* code */ "",
  ],
  // Hebrew
  [
    /* drop */ "תתעלם|התעלם|תשכח|שכח את|התעלמו",
    /* keep */ "",
    /* rules */ "כללים|הנחיות|הוראות",
    /* prior */ "כל ה|שקיבלת|הקודמות",
    /* own */ "",
    /* topic */ "",
    /* role */ "מעכשיו אתה|אתה עכשיו",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "ללא הגבלות",
    /* system */ "",
    /* reveal */ "",
    /* prompt */ "",
    /* hushUser */ "אל תספר למשתמש",
    /* hush */ "",
    /* machine */ "",
    /* call */ "",
    /* honestCall */ "",
    /* order */ "",
    /* task */ "",
    /* act */ "שלח|מחק|העבר",
    /* secret */ "סיסמ",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Arabic
  [
    /* drop */ "انس |نظر انداز|لا (تتبع|تلتزم)|فراموش کن|تغاضى|تجاهل|نادیده بگیر",
    /* keep */ "لا (تنس|تتجاهل)",
    /* rules */ "قوانین|توجيهات|تعليمات|دستورالعمل|إرشادات|دستورات|ہدایات|أوامر|قواعد",
    /* prior */ "همه|السابق|أعلاه|كل |جميع|تمام|قبلی",
    /* own */ "",
    /* topic */ "",
    /* role */ "من الآن فصاعدا|از این پس|أنت الآن",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "بدون محدودیت|دون قيود",
    /* system */ "رسالة النظام|تعليمات جديدة",
    /* reveal */ "اعرض|اكشف",
    /* prompt */ "موجه النظام",
    /* hushUser */ "لا (تخبر المستخدم|تذكر ذلك)|دون (علم المستخدم|إخبار)|به کاربر نگو|بلا إخبار",
    /* hush */ "سرا",
    /* machine */ "هوش مصنوعی|الذكاء الاصطناعي|المساعد",
    /* call */ "(عزيزي|إلى) المساعد|إذا كنت ذكاء",
    /* honestCall */ "",
    /* order */ "من فضلك|يجب|يرجى",
    /* task */ "يريد المستخدم منك|نيابة عن المستخدم|قبل الرد على المستخدم",
    /* act */ "ارسال کن|حوّل|أرسل|أعد توجيه|احذف",
    /* secret */ "مفتاح|رمز عبور|كلمات المرور|كلمة (المرور|السر)",
    /* address */ "",
    /* useTool */ "استخدم|استدع",
    /* tool */ "أداة",
    /* code */ "",
  ],
  // scripts of India and Thailand
  [
    /* drop */ "ভুলে যা|উপেক্ষা|उपेक्षा|अनदेखा|भूल जा|नज़रअंदाज़|เพิกเฉย|ไม่ต้องสนใจ|ลืมคำสั่ง|ละเว้น",
    /* keep */ "न भूल",
    /* rules */ "निर्देश|คำสั่ง|हिदायत|नियम|आदेश|กฎ|নির্দেশ|คำแนะนำ",
    /* prior */ "सभी|ก่อนหน้า|আগের|সমস্ত|पूर्व|ทั้งหมด|पिछले|पहले|ऊपर|ข้างต้น",
    /* own */ "",
    /* topic */ "",
    /* role */ "अब (से|तुम|आप)|จากนี้ไป",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "ไม่มีข้อจำกัด|बिना किसी प्रतिबंध",
    /* system */ "(नया|नए) निर्देश",
    /* reveal */ "दिखा|बता",
    /* prompt */ "सिस्टम प्रॉम्प्ट",
    /* hushUser */ "यूज़र को (न |मत)|उपयोगकर्ता को (न बत|मत)|อย่าบอกผู้ใช้",
    /* hush */ "चुपचाप",
    /* machine */ "सहायक|एआई|ผู้ช่วย",
    /* call */ "प्रिय सहायक|सहायक के लिए",
    /* honestCall */ "",
    /* order */ "โปรด|तुरंत|กรุณา|करें|कृपया",
    /* task */ "उपयोगकर्ता (की ओर से|चाहता)",
    /* act */ "โอน|ส่ง|ลบ|हटा|ट्रांसफर|भेज",
    /* secret */ "गोपनीय|पासवर्ड|รหัสผ่าน",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Chinese and Japanese
  [
    /* drop */ "别理会|不理会|不要理会|不用理会|忘記|不要遵|忘记|不再遵|忽略|别管|抛开|撇开|无视|忘掉|無視|" +
      "忘れろ|忘れなさ|従わない|気にしない|守らなくて|忘れてくださ|破棄し|従わず",
    /* keep */ "不要忘记|無視しない|不能忽略|别忘记|不可忽略|切勿忽略|忘れない|请勿忽略|忘れず|不要忽略|别忘了",
    /* rules */ "说明|要求|說明|規則|指引|制約|设定|指令|ルール|設定|指示|提示|约束|规则|命令|プロンプト",
    /* prior */ "上記|以上|従来|前面|これまで|すべて|原来|全て|先ほど|以前|此前|上述|之前|今まで|先前|一切|所有",
    /* own */ "我之前|私の|我的",
    /* topic */ "",
    /* role */ "これからあなた|你的新角色|これ以降|今からあなた|你现在是|あなたは今|从现在起|扮演|从现在开始",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "开发者模式|不受任何|制約なし|制限なし|不受限制|制限のない|没有限制|開發者模式|无限制|開発者モード",
    /* system */ "系统提示|新的指令|新的指示|新たな指示|新しい指示|新しい命令|系统消息|系统指令|新指令|システムメッセージ",
    /* reveal */ "出力|输出|表示|教えて|告诉我|显示|透露|重复",
    /* prompt */ "系统提示|你的提示|你的指令|システムプロンプト",
    /* hushUser */ "别告诉用户|不要通知用户|不要告诉用户|无需通知用户|不要告知用户|不要告訴使用者|ユーザーには内緒|ユーザーには知らせ|ユーザーには伝えな|ユーザーに知らせ|ユーザーに伝えな|ユーザーに通知せ|ユーザーに伝えず|ユーザーに言わ|不告诉用户|无需告知用户|不要讓使用者|ユーザーには言わ|不必告知用户|不要向用户|不要让用户知道",
    /* hush */ "こっそり|悄悄|密かに|偷偷|暗中|秘密",
    /* machine */ "语言模型|大模型|助手|助理|言語モデル|人工知能|人工智能|アシスタント",
    /* call */ "亲爱的ai|致ai|致助手|尊敬的ai|亲爱的助手|尊敬的助手|如果你是一个|あなたがaiなら|aiへ|给ai的|如果你是人工智能|アシスタントへ|给助手的|如果你是ai|致人工智能|アシスタントの方",
    /* honestCall */ "",
    /* order */ "せよ|立即|すること|恐れ入り|麻烦|請|勞煩|しなければ|必须|劳驾|务必|お手数|ください|请",
    /* task */ "代表用户|以用户的名义|ユーザーに代わって|回答する前に|用户已授权|ユーザーの代わりに|用户已经|用户要求你|在回答之前|ユーザーはすでに|用户希望你|在回复用户之前|ユーザーはあなたに",
    /* act */ "上传|转发|转到|转账|削除|送って|删除|送金|転送|发给|發送|发送|汇款|刪除|送信|发到|轉發|アップロード",
    /* secret */ "顧客データ|会話履歴|パスワード|apiキー|密钥|密碼|密码|凭证|聊天记录|对话记录|顧客リスト|凭据|客户数据|客户名单|認証情報",
    /* address */ "",
    /* useTool */ "実行し|执行|使用|使って|呼び出|调用",
    /* tool */ "函数|ツール|関数|工具",
    /* code */ "",
  ],
  // Korean
  [
    /* drop */ "무시해|잊으|버리고|무시하|따르지|잊어|신경 쓰지",
    /* keep */ "무시하지|잊지",
    /* rules */ "명령|규칙|지시|지침|안내 사항|프롬프트",
    /* prior */ "기존|모든|지금까지|이전|위의|앞의|앞선",
    /* own */ "제가",
    /* topic */ "",
    /* role */ "지금부터|이제부터|(너는|당신은) 이제",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "개발자 모드|(제약|제한) 없",
    /* system */ "시스템 메시지|새로운 (지시|지침)|새 지시",
    /* reveal */ "출력|알려|보여",
    /* prompt */ "시스템 프롬프트",
    /* hushUser */ "사용자 모르게|사용자에게는 (알리지|말하지)|사용자에게 (알리지|말하지|언급하지)",
    /* hush */ "몰래|은밀히",
    /* machine */ "ai 비서|인공지능|어시스턴트|언어 모델",
    /* call */ "ai에게|어시스턴트에게|어시스턴트님|ai라면",
    /* honestCall */ "",
    /* order */ "하십시오|하세요|해주세요|해 주세요|해야|번거로|부탁",
    /* task */ "사용자가 (원하|이미)|사용자는 이미|답변하기 전에|사용자를 대신",
    /* act */ "전송|전달|업로드|송금|보내|삭제",
    /* secret */ "고객 명단|암호|비밀번호|대화 기록|api 키",
    /* address */ "",
    /* useTool */ "호출|사용하|사용해|실행",
    /* tool */ "함수|도구",
    /* code */ "",
  ],
];
